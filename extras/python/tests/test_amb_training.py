"""Tests with a program that stands for amb, and modules that stand for W&B and MLflow.

With AMB_TEST_PROGRAM, the path of amb, a real run is started, too.
"""

import json
import os
import pathlib
import stat
import sys
import tempfile
import types
import unittest
from unittest import mock

import amb_training as amb
from amb_training import mirror

STEPS = 3

# Writes a run in pieces, and ends a line late, as a program that is being read does.
PROGRAM = """#!{python}
import json, pathlib, sys, time
words = sys.argv[1:]
if "nowhere" in words:
    sys.stderr.write("amb: reading\\namb: unknown data set 'nowhere'\\n\\n")
    sys.exit(2)
run = pathlib.Path(words[words.index("--run-directory") + 1])
run.mkdir(parents=True)
info = dict(id=run.name, command=["amb"] + words, ending=None,
    configuration={{"scheme": words[2], "batch-size": 16, "codec": None,
        **{{f"option-{{i}}": i for i in range(150)}}}})
(run / "run.json").write_text(json.dumps(info))
sys.stderr.write("x" * 200000 + "\\n")
with open(run / "master.jsonl", "w") as log:
    for step in range(1, {steps} + 1):
        line = json.dumps(dict(type="step", step=step, time=step / 2, loss=1 / step,
            metrics=dict(norm=step)))
        log.write(line[:9])
        log.flush()
        time.sleep(0.3)
        log.write(line[9:] + "\\n")
        log.flush()
    log.write(json.dumps(dict(type="evaluation", step=1, time=0.5, accuracy=float("nan"),
        test_loss=0.5)) + "\\n")
(run / "worker-1.jsonl").write_text('{{"type": "worker", "rank": 1}}\\n{{"type": "wor')
info["ending"] = dict(exit_code=0, cause="done")
(run / "run.json").write_text(json.dumps(info))
"""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        program = self.folder / "bin" / "amb"
        program.parent.mkdir()
        program.write_text(PROGRAM.format(python=sys.executable, steps=STEPS))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        home = mock.patch.dict(os.environ, {"AMB_HOME": str(self.folder)})
        home.start()
        self.addCleanup(home.stop)

    def run_of(self, name="one"):
        return amb.run("toy", "fmb", "adm", 16, self.folder / "runs" / name, workers=2)


class RunsTest(Case):
    def test_keyword_arguments_are_options(self):
        words = amb.command(
            "toy", "fmb", "adm", 16, last_step=3, seed=None, gradient_norm=True, quiet=False, k=[1, 2]
        )
        self.assertEqual(
            ["train", "toy", "fmb", "adm", "16", "--last-step", "3", "--gradient-norm", "--k", "1,2"],
            words[1:],
        )

    def test_records_are_followed_while_the_run_lasts(self):
        with self.run_of() as run:
            found = run.follow("step")
            self.assertEqual(1, next(found)["step"])
            self.assertFalse(run.ended())
            self.assertEqual([2, 3], [record["step"] for record in found])
            self.assertTrue(run.ended())
        self.assertEqual(0, run.wait()["ending"]["exit_code"])

    def test_an_ended_run_is_read(self):
        with self.run_of():
            pass
        (run,) = amb.runs(self.folder / "runs")
        self.assertEqual(STEPS, len(run.records("step")))
        self.assertEqual(run.records(), list(run.follow()))
        self.assertEqual([{"type": "worker", "rank": 1}], run.workers())
        self.assertNotIn("codec", run.options())
        self.assertEqual("one", run.info()["id"])

    def test_a_frame_has_metrics_as_columns(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("no pandas")
        with self.run_of() as run:
            pass
        frame = run.frame()
        self.assertEqual([1, 2, 3], list(frame["norm"]))
        self.assertNotIn("type", frame.columns)

    def test_an_error_has_code_and_last_line(self):
        run = amb.run("nowhere", "fmb", "adm", 16, self.folder / "none")
        with self.assertRaises(amb.AmbError) as found:
            run.wait()
        self.assertEqual(2, found.exception.code)
        self.assertEqual("amb: unknown data set 'nowhere'", found.exception.line)
        with self.assertRaises(amb.AmbError):
            list(run.follow())

    def test_an_error_in_the_block_stops_the_run(self):
        with self.assertRaises(KeyError):
            with self.run_of() as run:
                next(run.follow())
                raise KeyError
        self.assertTrue(run.ended())

    def test_a_shorter_file_is_read_on_from_its_end(self):
        with self.run_of() as run:
            pass
        log = run.path / "master.jsonl"
        info = json.loads((run.path / "run.json").read_text())
        (run.path / "run.json").write_text(json.dumps({**info, "ending": None}))
        lines = log.read_text().splitlines(keepends=True)
        found = amb.Run(run.path).follow("step")
        self.assertEqual([1, 2, 3], [next(found)["step"] for _ in range(3)])
        log.write_text(lines[0])
        sleeps = []

        def resumed(seconds):
            sleeps.append(seconds)
            if len(sleeps) == 2:
                with open(log, "a") as file:
                    file.write(lines[1])
                (run.path / "run.json").write_text(json.dumps(info))

        with mock.patch("time.sleep", side_effect=resumed):
            self.assertEqual([2], [record["step"] for record in found])


class Wandb(types.ModuleType):
    """Checks that calls come in the order that W&B's documents have."""

    def __init__(self):
        super().__init__("wandb")
        self.calls = []
        self.open = False

    def init(self, project=None, name=None, config=None):
        assert not self.open
        self.open = True
        self.calls.append(("init", project, name, config))
        return self

    def define_metric(self, name, step_metric=None):
        assert self.open
        self.calls.append(("define_metric", name, step_metric))

    def log(self, data):
        assert self.open and all(isinstance(key, str) for key in data)
        self.calls.append(("log", data))

    def finish(self, exit_code):
        assert self.open
        self.open = False
        self.calls.append(("finish", exit_code))


class Mlflow(types.ModuleType):
    """Checks limits and order as MLflow does."""

    def __init__(self):
        super().__init__("mlflow")
        self.calls = []
        self.parameters = {}
        self.open = False

    def set_experiment(self, name):
        self.calls.append(("set_experiment", name))

    def start_run(self, run_name):
        assert not self.open
        self.open = True
        self.calls.append(("start_run", run_name))

    def log_params(self, parameters):
        assert self.open and len(parameters) <= 100
        assert not self.parameters.keys() & parameters.keys()
        self.parameters.update(parameters)

    def log_metrics(self, metrics, step):
        assert self.open and isinstance(step, int)
        assert all(type(value) in (int, float) for value in metrics.values())
        self.calls.append(("log_metrics", metrics, step))

    def end_run(self, status):
        assert self.open
        self.open = False
        self.calls.append(("end_run", status))


class MirrorTest(Case):
    def test_wandb_has_all_numbers(self):
        wandb = Wandb()
        with mock.patch.dict(sys.modules, {"wandb": wandb}), self.run_of() as run:
            next(run.follow())
            mirror.main([str(run.path), "--to", "wandb", "--project", "mine"])
        self.assertEqual(("init", "mine", "one", run.options()), wandb.calls[0])
        self.assertIn(("define_metric", "*", "step"), wandb.calls)
        logged = [call[1] for call in wandb.calls if call[0] == "log"]
        self.assertEqual({"step": 2, "time": 1.0, "loss": 0.5, "norm": 2}, logged[1])
        self.assertEqual({"step": 1, "time": 0.5, "test_loss": 0.5}, logged[STEPS])
        self.assertEqual(("finish", 0), wandb.calls[-1])

    def test_mlflow_has_all_numbers(self):
        mlflow = Mlflow()
        with mock.patch.dict(sys.modules, {"mlflow": mlflow}), self.run_of() as run:
            mirror.to_mlflow(run)
        self.assertEqual(run.options(), mlflow.parameters)
        self.assertEqual(("set_experiment", "AMB"), mlflow.calls[0])
        self.assertIn(("log_metrics", {"time": 1.0, "loss": 0.5, "norm": 2}, 2), mlflow.calls)
        self.assertEqual(("end_run", "FINISHED"), mlflow.calls[-1])


@unittest.skipUnless("AMB_TEST_PROGRAM" in os.environ, "no AMB_TEST_PROGRAM")
class RealRunTest(unittest.TestCase):
    def test_a_run_is_started_and_followed(self):
        program = os.environ["AMB_TEST_PROGRAM"]
        with tempfile.TemporaryDirectory() as folder, mock.patch(
            "amb_training.records.program", return_value=program
        ):
            path = pathlib.Path(folder) / "run"
            options = {"engine": "sim", "workers": 2, "cost_per_example": 1, "last_step": 5}
            with amb.run("toy", "fmb", "adm", 16, path, **options) as run:
                steps = [record["step"] for record in run.follow("step")]
            self.assertEqual([1, 2, 3, 4, 5], steps)
            self.assertEqual("fmb", run.options()["scheme"])
            self.assertEqual(10, len(run.workers()))


if __name__ == "__main__":
    unittest.main()
