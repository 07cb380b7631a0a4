"""Gradients of DL4J networks by PyTorch in double precision.

Prints "ready", then for each directory named on a line of standard input writes gradient.bin
(doubles, running statistics as zeros) there and prints the loss sum.

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


def gradient(directory):
    shape = [int(n) for n in open(directory + "/shape.txt").read().split()]
    flat = load(directory + "/parameters.bin", ">f4")
    features = load(directory + "/features.bin", ">f4").reshape(shape)
    labels = load(directory + "/labels.bin", ">i4")
    offsets, parameters = {}, {}
    for line in open(directory + "/blocks.txt"):
        name, offset, *dimensions = line.split()
        dimensions = [int(d) for d in dimensions]
        offsets[name] = int(offset)
        block = flat[int(offset):int(offset) + int(np.prod(dimensions))].reshape(dimensions)
        parameters[name] = block.clone().requires_grad_()
    network = Network(json.load(open(directory + "/network.json")), parameters)
    loss = F.cross_entropy(network(features), labels, reduction="sum")
    loss.backward()
    result = np.zeros(len(flat))
    for name, block in parameters.items():
        if block.grad is not None:
            result[offsets[name]:offsets[name] + block.numel()] = block.grad.numpy().ravel()
    result.astype(">f8").tofile(directory + "/gradient.bin")
    return loss.item()


torch.set_num_threads(1)
print("ready", flush=True)
for line in sys.stdin:
    print(gradient(line.rstrip("\n")), flush=True)
