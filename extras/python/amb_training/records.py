"""Runs in directories that ``amb train`` writes."""

import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

POLL_SECONDS = 0.2


class AmbError(Exception):
    """A run that did not end well: its exit code, and the last line that it wrote."""

    def __init__(self, code, line):
        super().__init__(f"exit code {code}: {line}")
        self.code = code
        self.line = line


def program():
    """The program amb: of AMB_HOME, of the archive or tree that this file is in, or on the path."""
    here = pathlib.Path(__file__).resolve()
    homes = [pathlib.Path(os.environ["AMB_HOME"])] if "AMB_HOME" in os.environ else []
    for home in homes + list(here.parents[2:4]):
        for folder in ("bin", "scripts"):
            if (home / folder / "amb").is_file():
                return str(home / folder / "amb")
    found = shutil.which("amb")
    if found is None:
        raise FileNotFoundError("expected the program amb on PATH or in AMB_HOME, found none")
    return found


def command(data, scheme, rule, batch, **options):
    """The words of ``amb train`` for keyword arguments.

    ``last_step=20`` is ``--last-step 20``. True is an option without a value; None and False leave
    it out; a list is joined by commas.
    """
    words = [program(), "train", str(data), str(scheme), str(rule), str(batch)]
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if isinstance(value, (list, tuple)):
            words.append(",".join(map(str, value)))
        elif value is not True:
            words.append(str(value))
    return words


def run(data, scheme, rule, batch, directory=None, **options):
    """Starts a run and returns it, without waiting for its end.

    directory is that of the run, a new one below ``runs`` unless given. The other arguments are
    those of ``command``.
    """
    if directory is None:
        now = datetime.datetime.now().strftime("%Y%m%d-%H%M%S-%f")
        name = re.sub(r"[^A-Za-z0-9.]+", "-", f"{data}-{scheme}-{rule}-{batch}").strip("-")
        directory = pathlib.Path("runs") / f"{name}-{now}"
    words = command(data, scheme, rule, batch, **options, run_directory=directory)
    process = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    return Run(directory, process)


def runs(directory="runs"):
    """The runs in a directory, in the order of their names."""
    return [Run(info.parent) for info in sorted(pathlib.Path(directory).glob("*/run.json"))]


class Run:
    """A run in a directory, which may last."""

    def __init__(self, directory, process=None):
        self.path = pathlib.Path(directory)
        self.process = process
        self._ended = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        """Waits for the end; after an error in the block it stops the run."""
        if kind is None:
            self.wait()
        else:
            self.stop()

    def __repr__(self):
        return f"Run({str(self.path)!r})"

    def info(self):
        """What run.json says: ``configuration``, ``environment``, ``ending`` and more.

        Waits for the file of a run that this program has started.
        """
        while self.process is not None and not (self.path / "run.json").exists():
            if self.ended():
                raise AmbError(*self._ended)
            time.sleep(POLL_SECONDS)
        return json.loads((self.path / "run.json").read_text(encoding="utf-8"))

    def options(self):
        """The options that have a value, by name."""
        found = self.info()["configuration"]
        return {name: value for name, value in found.items() if value is not None}

    def ended(self):
        """Whether it has ended."""
        if self.process is not None:
            self._drain(0.01)
            return self._ended is not None
        return self.info()["ending"] is not None

    def wait(self):
        """Waits for the end of a run that this program has started; returns ``info()``.

        Raises AmbError if the exit code is not 0.
        """
        if self.process is None:
            while not self.ended():
                time.sleep(POLL_SECONDS)
            return self.info()
        self._drain(None)
        if self._ended[0] != 0:
            raise AmbError(*self._ended)
        return self.info()

    def _drain(self, seconds):
        """Waits for the end so long, and reads what the process writes, or its pipe would fill."""
        if self._ended is None:
            try:
                errors = self.process.communicate(timeout=seconds)[1].decode(errors="replace")
            except subprocess.TimeoutExpired:
                return
            lines = [line for line in errors.splitlines() if line.strip()]
            self._ended = (self.process.returncode, lines[-1] if lines else "")

    def stop(self):
        """Ends a run that this program has started, with a checkpoint if it writes some."""
        if self._ended is None:
            self.process.terminate()
            self._drain(None)

    def records(self, kind=None, file="master.jsonl"):
        """The records so far, as dictionaries; those of a kind such as step or evaluation."""
        path = self.path / file
        if not path.exists():
            return []
        lines = path.read_bytes().split(b"\n")[:-1]  # A line without its end is not whole.
        found = [json.loads(line) for line in lines]
        return [record for record in found if kind is None or record["type"] == kind]

    def workers(self):
        """The records of all workers."""
        files = sorted(self.path.glob("worker-*.jsonl"))
        return [record for file in files for record in self.records(file=file.name)]

    def frame(self, kind="step", file="master.jsonl"):
        """The records of a kind as a frame of pandas; its metrics are columns, too."""
        import pandas

        rows = [numbers(record) for record in self.records(kind, file)]
        return pandas.DataFrame(rows)

    def follow(self, kind=None):
        """Iterates over the records, and waits for further ones until the run has ended.

        Raises AmbError at the end if this program has started it and its exit code is not 0.
        """
        place = 0
        path = self.path / "master.jsonl"
        while True:
            last = self.ended()
            if path.exists():
                with open(path, "rb") as file:
                    file.seek(0, os.SEEK_END)
                    place = min(place, file.tell())  # A resumed run's file is shorter.
                    file.seek(place)
                    whole = file.read().rpartition(b"\n")[0]
                place += len(whole) + 1 if whole else 0
                for line in whole.split(b"\n") if whole else ():
                    record = json.loads(line)
                    if kind is None or record["type"] == kind:
                        yield record
            if last:
                break
            time.sleep(POLL_SECONDS)
        if self.process is not None:
            self.wait()


def numbers(record):
    """A record without its kind, and with its metrics beside its fields."""
    flat = {name: value for name, value in record.items() if name not in ("type", "metrics")}
    flat.update(record.get("metrics") or {})
    return flat
