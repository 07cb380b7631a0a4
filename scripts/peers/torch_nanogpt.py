"""Trains the network nano-gpt with PyTorch, in nanoGPT's settings for processors.

usage: torch_nanogpt.py TEXT SEED [ITERATIONS]

TEXT is tinyshakespeare.txt. The first nine tenths train, in random windows. The loss is of the last
tenth, in windows of 64 characters that do not overlap, as amb's data set tinyshakespeare has them.
A line of JSON per test goes to standard output.
"""
import json
import math
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

LAYERS, HEADS, WIDTH, CONTEXT, BATCH = 4, 4, 128, 64, 12
RATE, FLOOR, WARM_UP = 1e-3, 1e-4, 100
DEVIATION = 0.02


class Norm(nn.Module):
    """Layer normalization without a shift."""

    def __init__(self):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        return F.layer_norm(x, (WIDTH,), self.gamma, None, 1e-5)


class Block(nn.Module):
    """Causal attention and two dense layers, each added to its input."""

    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList([Norm(), Norm()])
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.after_heads = nn.Linear(WIDTH, WIDTH, bias=False)
        self.wide = nn.Linear(WIDTH, 4 * WIDTH, bias=False)
        self.narrow = nn.Linear(4 * WIDTH, WIDTH, bias=False)

    def forward(self, x):
        batch, positions, _ = x.shape
        heads = self.qkv(self.norms[0](x)).view(batch, positions, 3, HEADS, WIDTH // HEADS)
        q, k, v = heads.permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.after_heads(seen.transpose(1, 2).reshape(batch, positions, WIDTH))
        return x + self.narrow(F.gelu(self.wide(self.norms[1](x))))


class Transformer(nn.Module):
    """Predicts the next character; the output has the matrix of the embedding."""

    def __init__(self, symbols):
        super().__init__()
        self.token = nn.Embedding(symbols, WIDTH)
        self.position = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.Sequential(*[Block() for _ in range(LAYERS)])
        self.norm = Norm()
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                last = "after_heads" in name or "narrow" in name
                nn.init.normal_(parameter, 0, DEVIATION / math.sqrt(2 * LAYERS if last else 1))

    def forward(self, windows):
        x = self.token(windows) + self.position.weight[: windows.shape[1]]
        return F.linear(self.norm(self.blocks(x)), self.token.weight)


def loss_of(network, windows):
    """Mean loss per character of windows of CONTEXT + 1 tokens."""
    logits = network(windows[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten())


def rate(iteration, last):
    """Learning rate of an iteration, which count from 0."""
    if iteration < WARM_UP:
        return RATE * (iteration + 1) / (WARM_UP + 1)
    share = (iteration - WARM_UP) / (last - WARM_UP)
    return FLOOR + (RATE - FLOOR) * (1 + math.cos(math.pi * share)) / 2


def test(network, windows):
    """Mean loss of all windows."""
    with torch.no_grad():
        parts = windows.split(100)
        return sum(loss_of(network, part).item() * len(part) for part in parts) / len(windows)


def main():
    seed = int(sys.argv[2])
    last = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    symbols = sorted(set(text))
    tokens = torch.tensor([symbols.index(symbol) for symbol in text])
    end = len(text) * 9 // 10
    training, held_out = tokens[:end], tokens[end:]
    count = (len(held_out) - 1) // CONTEXT
    tests = torch.stack([held_out[i * CONTEXT : (i + 1) * CONTEXT + 1] for i in range(count)])
    network = Transformer(len(symbols))
    matrices = [one for one in network.parameters() if one.dim() > 1]
    others = [one for one in network.parameters() if one.dim() == 1]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.99))
    start = time.perf_counter()
    for iteration in range(last):
        first = torch.randint(end - CONTEXT, (BATCH,)).tolist()
        batch = torch.stack([training[i : i + CONTEXT + 1] for i in first])
        for group in optimizer.param_groups:
            group["lr"] = rate(iteration, last)
        optimizer.zero_grad()
        loss_of(network, batch).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        if (iteration + 1) % 500 == 0 or iteration + 1 == last:
            line = {
                "seed": seed,
                "iteration": iteration + 1,
                "loss": test(network, tests),
                "seconds": time.perf_counter() - start,
                "parameters": sum(one.numel() for one in network.parameters()),
                "torch": torch.__version__,
            }
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
