"""Writes the files of src/test/resources/onnx, which OnnxReaderTest reads:

python3 onnx_files.py FOLDER

The exporter is PyTorch's, by TorchScript. Networks are of 1x8x8 images in 10 classes.
"""

import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

FOLDER = Path(sys.argv[1])


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 3, 3, padding=1)
        self.conv2 = nn.Conv2d(3, 4, 3)
        self.fc1 = nn.Linear(4, 9)
        self.fc2 = nn.Linear(9, 10)

    def forward(self, x):
        x = functional.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = functional.max_pool2d(torch.relu(self.conv2(x)), 2)
        x = x.view(x.size(0), -1)
        return functional.log_softmax(self.fc2(torch.tanh(self.fc1(x))), 1)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, stride=2, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(4)
        self.conv2 = nn.Conv2d(4, 4, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(4)
        self.fc = nn.Linear(4, 10)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        x = torch.relu(self.bn2(self.conv2(x)) + x)
        return self.fc(functional.adaptive_avg_pool2d(x, 1).flatten(1))


class Branches(nn.Module):
    """Convolutions side by side, and another mean."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 3, 3)
        self.wide = nn.Conv2d(3, 6, (3, 1), padding=(1, 0))
        self.side = nn.Conv2d(3, 2, 1)
        self.fc = nn.Linear(72, 10, bias=False)

    def forward(self, x):
        x = functional.avg_pool2d(torch.sigmoid(self.conv(x)), 3, 2, 1)
        return self.fc(torch.cat([self.wide(x), self.side(x)], 1).flatten(1))


def perceptron(*ends):
    layers = [nn.Linear(64, 12), nn.Sigmoid(), nn.Linear(12, 10), *ends]
    return nn.Sequential(nn.Flatten(), *layers)


def write(name, module, **options):
    torch.manual_seed(len(name))
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5)
    for layer in module.modules():
        if isinstance(layer, nn.BatchNorm2d):
            nn.init.normal_(layer.running_mean)
            nn.init.uniform_(layer.running_var, 0.5, 2)
    torch.onnx.export(
        module.eval(),
        torch.zeros(1, 1, 8, 8),
        str(FOLDER / f"{name}.onnx"),
        dynamo=False,
        input_names=["input"],
        dynamic_axes={"input": {0: "n"}},
        **options,
    )


write("perceptron", perceptron())
write("perceptron-softmax", perceptron(nn.Softmax(1)))
write("lenet", LeNet())
write("residual", Residual(), training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False)
write("residual-folded", Residual())
write("branches", Branches())
