"""The gradient of a user's file by PyTorch's own loop, without AMB.

python3 own_loop.py FILE DIRECTORY OPTIONS, where DIRECTORY has parameters, features and labels as
little-endian numbers, and job.json. Writes the gradients to gradient.bin, one block after the
other, and the losses to losses.txt. Each line of standard input is then a further gradient, whose
milliseconds it prints.
"""

import importlib.util
import json
import pathlib
import sys
import time
import types

import numpy as np
import torch
from torch.nn import functional

file, directory = sys.argv[1], pathlib.Path(sys.argv[2])
job = json.loads((directory / "job.json").read_text())
spec = importlib.util.spec_from_file_location("mine", file)
mine = importlib.util.module_from_spec(spec)
spec.loader.exec_module(mine)
form = types.SimpleNamespace(shape=job["shape"], classes=job["classes"], targets="class")
model = mine.model(form, **job["options"])

vector = torch.from_numpy(np.fromfile(directory / "parameters.bin", "<f4"))
start = 0
with torch.no_grad():
    for parameter in model.parameters():
        parameter.copy_(vector[start : start + parameter.numel()].view(parameter.shape))
        start += parameter.numel()
features = torch.from_numpy(np.fromfile(directory / "features.bin", "<f4"))
features = features.view(-1, *job["shape"])
labels = torch.from_numpy(np.fromfile(directory / "labels.bin", "<i4")).long()
if job["text"]:
    features = features.long().view(len(features), -1)
    labels = labels.view(len(features), -1)


def gradient(partitions):
    model.train()
    model.zero_grad(set_to_none=True)
    losses = []
    for partition in partitions:
        chosen = torch.tensor(partition)
        inputs, targets = features[chosen], labels[chosen]
        outputs = model(inputs)
        if job["text"]:
            outputs, targets = outputs.flatten(0, 1), targets.flatten()
        loss = functional.cross_entropy(outputs, targets, reduction="sum")
        loss = loss / features.shape[1] if job["text"] else loss
        loss.backward()
        losses.append(loss.item())
    return losses


torch.manual_seed(job["seed"])
losses = gradient(job["partitions"])
found = [parameter.grad.reshape(-1) for parameter in model.parameters()]
torch.cat(found).numpy().astype("<f4").tofile(directory / "gradient.bin")
(directory / "losses.txt").write_text("\n".join(map(repr, losses)))

for _ in sys.stdin:
    begin = time.perf_counter()
    gradient(job["partitions"])
    print(1000 * (time.perf_counter() - begin), flush=True)
