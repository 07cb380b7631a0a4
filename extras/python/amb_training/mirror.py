"""Writes the numbers of a run to Weights & Biases or MLflow while it lasts, by their own modules.

    python -m amb_training.mirror runs/RUN --to wandb --project mine

A run that has ended is written at once. ``amb summarize --format mlflow`` needs no Python.
"""

import argparse

from amb_training.records import Run, numbers

KINDS = ("step", "evaluation", "test_part")
PARAMETERS = 100  # MLflow takes no more at once.


def values(record):
    """The finite numbers of a record, but for its step."""
    found = {}
    for name, value in numbers(record).items():
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if number and name != "step" and abs(value) < float("inf"):
            found[name] = value
    return found


def to_wandb(run, **init):
    """Mirrors a run to W&B; further arguments are those of ``wandb.init``."""
    import wandb

    given = {"name": run.path.name, "config": run.options(), **init}
    mirrored = wandb.init(**given)
    # An evaluation may come after later steps, so the step is a number of its own.
    mirrored.define_metric("step")
    mirrored.define_metric("*", step_metric="step")
    for record in run.follow():
        if record["type"] in KINDS:
            mirrored.log({"step": record["step"], **values(record)})
    ending = run.info()["ending"]
    mirrored.finish(exit_code=ending["exit_code"] if ending else 1)


def to_mlflow(run, experiment="AMB"):
    """Mirrors a run to the MLflow server that ``mlflow.set_tracking_uri`` or its variable names."""
    import mlflow

    mlflow.set_experiment(experiment)
    mlflow.start_run(run_name=run.path.name)
    options = list(run.options().items())
    for start in range(0, len(options), PARAMETERS):
        mlflow.log_params(dict(options[start : start + PARAMETERS]))
    for record in run.follow():
        if record["type"] in KINDS:
            mlflow.log_metrics(values(record), step=record["step"])
    ending = run.info()["ending"]
    well = ending is not None and ending["exit_code"] == 0
    mlflow.end_run(status="FINISHED" if well else "FAILED")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="amb-mirror", description=__doc__.splitlines()[0])
    parser.add_argument("run", help="directory of the run")
    parser.add_argument("--to", choices=("wandb", "mlflow"), required=True)
    parser.add_argument("--project", help="project of W&B, or experiment of MLflow; usual: AMB")
    given = parser.parse_args(arguments)
    project = given.project or "AMB"
    if given.to == "wandb":
        to_wandb(Run(given.run), project=project)
    else:
        to_mlflow(Run(given.run), project)


if __name__ == "__main__":
    main()
