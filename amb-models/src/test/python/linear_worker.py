#!/usr/bin/env python3
"""A worker of the protocol amb-gradients without PyTorch: least squares, with faults on demand.

The loss of an example is (w x + b - label)^2. The option fault says what goes wrong at "add", but
for those that begin with hello.
"""

import json
import mmap
import struct
import sys
import time
from array import array

MEMORY = {}
OPTIONS = {}
FORM = {}
DATA = {}


def read():
    head = sys.stdin.buffer.read(4)
    if len(head) < 4:
        sys.exit(0)
    return json.loads(sys.stdin.buffer.read(struct.unpack(">I", head)[0]))


def send(body, length=None):
    sys.stdout.buffer.write(struct.pack(">I", len(body) if length is None else length) + body)
    sys.stdout.buffer.flush()


def features():
    channels, height, width = FORM["shape"]
    return channels * height * width


def aligned(entries):
    return (entries + 15) // 16 * 16


def floats(what, start, count):
    return array("f", MEMORY[what][4 * start : 4 * (start + count)])


def store(what, start, values):
    MEMORY[what][4 * start : 4 * (start + len(values))] = array("f", values).tobytes()


def fault(name):
    if name == "die":
        sys.stderr.write("first line\n  out of luck\n")
        sys.exit(7)
    if name == "kill":
        import os
        import signal

        os.kill(os.getpid(), signal.SIGKILL)
    if name == "garbage":
        sys.stdout.write("Traceback of a program that prints")
        sys.stdout.flush()
        time.sleep(600)
    if name == "no-json":
        send(b"no json")
        time.sleep(600)
    if name == "no-object":
        send(b"[1]")
        time.sleep(600)
    if name == "no-number":
        send(b'{"loss": "1"}')
        time.sleep(600)
    if name == "cut":
        send(b"{", 100)
        sys.exit(0)
    if name == "hang":
        time.sleep(600)


def hello(request):
    OPTIONS.update(request["options"])
    FORM.update(request["form"])
    reply = {
        "protocol": request["protocol"],
        "version": request["version"],
        "about": "least squares",
        "blocks": [
            {"name": "w", "kind": "weight", "shape": [features()]},
            {"name": "b", "kind": "bias", "shape": []},
        ],
    }
    what = OPTIONS.get("fault", "")
    if what == "hello-version":
        reply["version"] += 1
    if what == "hello-protocol":
        reply["protocol"] = "another"
    if what == "hello-kind":
        reply["blocks"][1]["kind"] = "other"
    if what == "hello-shape":
        reply["blocks"][0]["shape"] = [1 << 20, 1 << 20]
    if what == "hello-empty":
        reply["blocks"] = []
    if what == "hello-die":
        fault("die")
    return reply


def memory(request):
    with open(request["path"], "r+b") as file:
        MEMORY[request["what"]] = mmap.mmap(file.fileno(), request["bytes"])
    return {}


def data(request):
    DATA.update(request)
    return {}


def initialize(request):
    store("parameters", 0, [request["seed"]] * features())
    store("parameters", aligned(features()), [0.5])
    return {}


def examples(count):
    size = features()
    weights = floats("parameters", 0, size)
    bias = floats("parameters", aligned(size), 1)[0]
    start = aligned(count * size)
    labels = array("i", MEMORY["examples"][4 * start : 4 * (start + count)])
    for i in range(count):
        x = floats("examples", i * size, size)
        yield x, sum(w * v for w, v in zip(weights, x)) + bias - labels[i]


def add(request):
    fault(OPTIONS.get("fault"))
    if "seed" in request:
        DATA["sum"] = [0.0] * (features() + 1)
    loss = 0
    for x, error in examples(request["count"]):
        loss += error * error
        for i, value in enumerate(list(x) + [1]):
            DATA["sum"][i] += 2 * error * value
    return {"loss": loss}


def finish(request):
    store("gradient", 0, DATA["sum"][:-1])
    store("gradient", aligned(features()), DATA["sum"][-1:])
    return {}


def evaluate(request):
    errors = [error for _, error in examples(request["count"])]
    right = sum(abs(error) < 0.5 for error in errors)
    return {"loss": sum(error * error for error in errors), "right": right}


REQUESTS = {
    "hello": hello,
    "map": memory,
    "data": data,
    "initialize": initialize,
    "add": add,
    "finish": finish,
    "evaluate": evaluate,
}

while True:
    message = read()
    send(json.dumps(REQUESTS[message["do"]](message)).encode())
