"""Measures gradients per second of PyTorch, over the protocol of bench.PeerProgram.

usage: torch_peer.py [--precision fp32|bf16] NAME DIRECTORY CHANNELS HEIGHT WIDTH CLASSES

bf16 is torch.autocast: products in bfloat16, parameters and gradients in fp32. DIRECTORY holds
network.json, as DL4J writes it, and blocks.txt, which has a line for each block of parameters:
name, kind, dimensions.
"""
import argparse
import json
import sys
import time

import torch
import torch.nn.functional as F

from dl4j_network import Network

EXAMPLES = 256
FIRST_BATCH = 8

torch.set_num_threads(1)
torch.manual_seed(1)
parser = argparse.ArgumentParser()
parser.add_argument("--precision", choices=["fp32", "bf16"], default="fp32")
parser.add_argument("name")
parser.add_argument("directory")
parser.add_argument("sizes", type=int, nargs=4)
given = parser.parse_args()
channels, height, width, classes = given.sizes
parameters, trained = {}, []
for line in open(given.directory + "/blocks.txt"):
    name, kind, *dimensions = line.split()
    block = torch.randn([int(d) for d in dimensions]) * 0.05
    parameters[name] = block
    if kind == "RUNNING_STATISTIC":
        block.fill_(1.0)
    else:
        trained.append(block.requires_grad_())
configuration = open(given.directory + "/network.json").read()
network = Network(json.loads(configuration), parameters)
if "SequenceEmbedding" in configuration:  # windows of a text, which predict each next token
    features = torch.randint(classes, (EXAMPLES, channels, height, width))
    labels = features.flatten(1).roll(-1, 1)
else:
    features = torch.rand(EXAMPLES, channels, height, width)
    labels = torch.arange(EXAMPLES) % classes


def step(batch):
    for block in trained:
        block.grad = None
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=given.precision == "bf16"):
        logits = network(features[:batch]).flatten(0, -2)
        loss = F.cross_entropy(logits, labels[:batch].flatten(), reduction="sum")
    loss.backward()
    return loss.item()


step(FIRST_BATCH)
print("peer ready", sum(block.numel() for block in trained), flush=True)
for line in sys.stdin:
    words = line.split()
    batch, seconds = int(words[0]), float(words[1])
    start, count, passed = time.perf_counter(), 0, 0.0
    while passed < seconds:
        step(batch)
        count += batch
        passed = time.perf_counter() - start
    print("peer speed", count / passed, flush=True)
