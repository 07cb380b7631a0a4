"""A network with its own data and loss: the time that a pendulum takes to come to rest.

amb train python:examples/pytorch/own_data.py,count=2000 fmb adm 32 --workers 2
"""

import torch
from torch import nn
from torch.nn import functional


class Pendulum(torch.utils.data.Dataset):
    """Any object with a length and items is a data set; an item is an input with its target."""

    def __init__(self, count, seed):
        random = torch.Generator().manual_seed(seed)
        self.inputs = torch.rand(count, 2, generator=random)

    def __len__(self):
        return len(self.inputs)

    def __getitem__(self, index):
        length, friction = self.inputs[index]
        return self.inputs[index], torch.sqrt(1 + length) / (0.5 + friction)


def train(count=1000):
    return Pendulum(count, seed=1)


def test():
    return Pendulum(200, seed=2)


def model(form, width=32):
    return nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 1), nn.Flatten(0))


def loss(model, inputs, targets):
    """The sum over the examples, not their mean."""
    return functional.mse_loss(model(inputs), targets, reduction="sum")
