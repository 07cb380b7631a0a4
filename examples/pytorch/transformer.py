"""A small language model of PyTorch's own layers, for texts.

amb train tinyshakespeare fmb adamw 32 --network python:examples/pytorch/transformer.py,layers=2
"""

import torch
from torch import nn


class Transformer(nn.Module):
    def __init__(self, context, vocabulary, width, heads, layers):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.places = nn.Embedding(context, width)
        layer = nn.TransformerEncoderLayer(
            width, heads, 4 * width, dropout=0.1, batch_first=True, norm_first=True
        )
        self.blocks = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        """tokens has a row of numbers for each example; returns scores of the next one."""
        length = tokens.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(length)
        x = self.tokens(tokens) + self.places(torch.arange(length))
        return self.head(self.blocks(x, mask=mask, is_causal=True))


def model(form, width=64, heads=4, layers=2):
    return Transformer(form.shape[2], form.classes, width, heads, layers)
