"""Starts, follows and reads training runs of AMB: docs/how-to/read-runs-in-python.md.

    import amb_training as amb

    with amb.run("toy", "fmb", "adm", 16, workers=2, last_step=20) as run:
        for record in run.follow():
            print(record)
    print(run.frame("step"))
"""

from amb_training.records import AmbError, Run, command, run, runs

__all__ = ["AmbError", "Run", "command", "run", "runs"]
