"""A convolutional network for images of our data sets, such as optdigits and mnist.

amb train optdigits fmb adm 64 --network python:examples/pytorch/digits_cnn.py,channels=16
"""

from torch import nn


def model(form, channels=8, dropout=0.2):
    """form has shape (channels, height, width), classes and targets."""
    planes, height, width = form.shape
    return nn.Sequential(
        nn.Conv2d(planes, channels, 3, padding=1),
        nn.BatchNorm2d(channels),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Dropout(dropout),
        nn.Linear(channels * (height // 2) * (width // 2), form.classes),
    )
