"""GPT-2 of Hugging Face's transformers, made from its configuration: nothing is downloaded.

amb train tinyshakespeare fmb adamw 32 --network python:examples/pytorch/gpt2.py,layers=4
"""

from torch.nn import functional
from transformers import GPT2Config, GPT2LMHeadModel


def model(form, width=64, heads=4, layers=2):
    config = GPT2Config(
        vocab_size=form.classes,
        n_positions=form.shape[2],
        n_embd=width,
        n_head=heads,
        n_layer=layers,
        bos_token_id=0,
        eos_token_id=0,
    )
    return GPT2LMHeadModel(config)


def loss(model, inputs, targets):
    """The targets are the next tokens: a mean over the positions, a sum over the examples."""
    logits = model(inputs).logits.flatten(0, 1)
    return functional.cross_entropy(logits, targets.flatten(), reduction="sum") / targets.shape[1]
