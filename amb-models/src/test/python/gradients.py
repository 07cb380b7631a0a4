"""Gradients of DL4J networks by PyTorch in double precision.

Prints "ready", then for each directory named on a line of standard input writes gradient.bin
(doubles, running statistics as zeros) there and prints the loss sum, and how far rounding in single
precision may move the gradient, relative to its length.

A directory holds network.json (as DL4J writes it), blocks.txt (name, offset and shape of each
parameter block), parameters.bin, features.bin and labels.bin (big-endian floats and ints) and
shape.txt (examples, channels, height, width).
"""
import json
import os
import sys

import numpy as np
import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../../scripts/peers"))
from dl4j_network import Network  # noqa: E402


def load(path, kind):
    array = np.fromfile(path, kind)
    return torch.from_numpy(array.astype("i8" if kind == ">i4" else "f8"))


# Unit round-off of single precision.
ROUND_OFF = 2.0 ** -24
PERTURBATIONS = 4


def gradient(definition, flat, blocks, features, labels):
    """The loss sum and its gradient at flat parameters."""
    parameters = {
        name: flat[offset:offset + int(np.prod(shape))].reshape(shape).clone().requires_grad_()
        for name, (offset, shape) in blocks.items()
    }
    logits = Network(definition, parameters)(features)
    # The loss of a window of text is the mean over its positions.
    loss = F.cross_entropy(logits.flatten(0, -2), labels.flatten(), reduction="sum")
    loss = loss / (labels.numel() // len(labels))
    loss.backward()
    result = np.zeros(len(flat))
    for name, block in parameters.items():
        if block.grad is not None:
            offset = blocks[name][0]
            result[offset:offset + block.numel()] = block.grad.numpy().ravel()
    return loss.item(), result


def sensitivity(definition, flat, blocks, features, labels, expected):
    """How far rounding may move the gradient, relative to its length.

    A sum of n rounded products is the exact sum for factors that differ by about sqrt(n) round-offs
    (Higham and Mary, 2019). So the gradient is computed for such factors: parameters and features
    are moved at random by this much, which every layer then passes on as it does its own rounding.
    """
    terms = [int(np.prod(shape)) // min(shape) for _, shape in blocks.values()]
    relative = ROUND_OFF * max(terms + [features[:, 0].numel()]) ** 0.5
    generator = torch.Generator().manual_seed(1)

    def moved(values):
        noise = torch.randn(values.shape, generator=generator, dtype=values.dtype)
        return values * (1 + relative * noise)

    def features_moved():
        return features if labels.dim() > 1 else moved(features)

    distances = [
        np.linalg.norm(
            gradient(definition, moved(flat), blocks, features_moved(), labels)[1] - expected)
        for _ in range(PERTURBATIONS)
    ]
    return relative + max(distances) / np.linalg.norm(expected)


def answer(directory):
    shape = [int(n) for n in open(directory + "/shape.txt").read().split()]
    flat = load(directory + "/parameters.bin", ">f4")
    features = load(directory + "/features.bin", ">f4").reshape(shape)
    labels = load(directory + "/labels.bin", ">i4")
    if len(labels) > shape[0]:
        labels = labels.reshape(shape[0], -1)
    blocks = {}
    for line in open(directory + "/blocks.txt"):
        name, offset, *dimensions = line.split()
        blocks[name] = int(offset), [int(d) for d in dimensions]
    definition = json.load(open(directory + "/network.json"))
    loss, expected = gradient(definition, flat, blocks, features, labels)
    expected.astype(">f8").tofile(directory + "/gradient.bin")
    return loss, sensitivity(definition, flat, blocks, features, labels, expected)


torch.set_num_threads(1)
print("ready", flush=True)
for line in sys.stdin:
    print(*answer(line.rstrip("\n")), flush=True)
