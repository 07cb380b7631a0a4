"""Computes gradients of a PyTorch module for AMB, which starts this file as a process.

A user's file defines ``model(form, **options)``, which returns a ``torch.nn.Module``. It may define

    loss(model, inputs, targets)      the sum of the losses of some examples
    score(model, inputs, targets)     the pair of this sum and the number of right predictions
    train(**options), test(**options) its own examples: datasets with a length and pairs
    collate(examples)                 makes inputs and targets of a list of them

The protocol is described in docs/how-to/train-a-pytorch-module.md. Each message is a length of four
bytes, the first one highest, and that many bytes of JSON. Vectors and examples are in files that
both sides map.
"""

import ast
import importlib.util
import inspect
import json
import mmap
import os
import platform
import signal
import struct
import sys
import types

PROTOCOL = "amb-gradients"
VERSION = 1
LIMIT = 1 << 22
ALIGNED = 16  # Blocks and targets start at a multiple of so many entries.


class Channel:
    """Messages with AMB. What the user's file prints goes to standard error."""

    def __init__(self):
        for ending in (signal.SIGINT, signal.SIGTERM):
            signal.signal(ending, signal.SIG_IGN)  # AMB ends this process when it is time.
        self.requests = os.fdopen(os.dup(0), "rb")
        self.replies = os.fdopen(os.dup(1), "wb")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)

    def read(self):
        """The next request; None if AMB has ended."""
        head = self.requests.read(4)
        if len(head) < 4:
            return None
        (length,) = struct.unpack(">I", head)
        if length > LIMIT:
            sys.exit(f"expected a message of at most {LIMIT} bytes, found {length}")
        body = self.requests.read(length)
        return json.loads(body) if len(body) == length else None

    def write(self, reply):
        body = json.dumps(reply).encode()
        if len(body) > LIMIT:
            sys.exit(f"expected a reply of at most {LIMIT} bytes, found {len(body)}")
        self.replies.write(struct.pack(">I", len(body)) + body)
        self.replies.flush()


def aligned(entries):
    return -(-entries // ALIGNED) * ALIGNED


def load(path):
    """The user's file as a module."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(path))
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def parsed(options):
    """Values of options as Python has them; a text if they are no literal."""

    def value(text):
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return text

    return {name: value(text) for name, text in options.items()}


def call(path, module, function, *arguments, **options):
    """Calls a function of the user's file, which must know the options."""
    found = getattr(module, function, None)
    if found is None:
        sys.exit(f"expected a function {function}(...) in {path}, found none")
    try:
        inspect.signature(found).bind(*arguments, **options)
    except TypeError as e:
        sys.exit(f"{path}: {function}{inspect.signature(found)}: {e}")
    return found(*arguments, **options)


def calls(path, module, functions, options):
    """Calls functions with those options that each of them has."""
    results = []
    unknown = set(options)
    for function in functions:
        names = inspect.signature(getattr(module, function, call)).parameters
        known = {name: value for name, value in options.items() if name in names}
        unknown -= set(known)
        results.append(call(path, module, function, **known))
    if unknown:
        sys.exit(f"{path}: expected options of {' and '.join(functions)}, found {min(unknown)}")
    return results


def labels(dataset):
    """The classes of all examples, if they are at hand; else None."""
    import torch

    if isinstance(dataset, torch.utils.data.TensorDataset):
        found = dataset.tensors[-1]
    else:
        found = getattr(dataset, "targets", None)
    if found is None:
        return None
    found = torch.as_tensor(found)
    whole = not (found.is_floating_point() or found.is_complex())
    return found.int() if whole and found.dim() == 1 and len(found) == len(dataset) else None


class Examples:
    """The user's own examples, each known by its number: those to test on come last."""

    def __init__(self, file, options):
        module = load(file)
        self.train, self.test = calls(file, module, ("train", "test"), parsed(options))
        self.collate = getattr(module, "collate", None)

    def classes(self):
        """The classes of all examples; None if they are not at hand."""
        import torch

        found = [labels(part) for part in (self.train, self.test)]
        return None if None in found else torch.cat(found)

    def batch(self, numbers):
        import torch

        first = len(self.train)
        part, start = (self.train, 0) if int(numbers[0]) < first else (self.test, first)
        if self.collate is None and isinstance(part, torch.utils.data.TensorDataset):
            return part[numbers.long() - start]
        examples = [part[int(number) - start] for number in numbers]
        return (self.collate or torch.utils.data.default_collate)(examples)


class Worker:
    """One module and its memory."""

    def __init__(self):
        self.memory = {}
        self.model = None
        self.examples = None

    # Requests, one method each. What it returns is the reply.

    def hello(self, version, file, options, form=None, **_):
        """Starts with a file: with a form for its module, without one for its examples."""
        if version != VERSION:
            sys.exit(f"expected version {VERSION} of the protocol, found {version}")
        import torch

        reply = {
            "protocol": PROTOCOL,
            "version": VERSION,
            "about": f"PyTorch {torch.__version__}, Python {platform.python_version()}",
        }
        if form is None:
            self.examples = Examples(file, options)
            classes = self.examples.classes()
            reply["train"], reply["test"] = len(self.examples.train), len(self.examples.test)
            reply["classes"] = 0 if classes is None else int(classes.max()) + 1
            return reply
        self.module = load(file)
        self.form = types.SimpleNamespace(**form)
        self.device = torch.device(options.pop("device", "cpu"))
        self.options = parsed(options)
        self.build = lambda: call(file, self.module, "model", self.form, **self.options)
        self.model = self.build().to(self.device)
        self.blocks = self.find_blocks()
        reply["blocks"] = [
            {"name": name, "kind": kind, "shape": list(tensor.shape)}
            for name, kind, tensor in self.blocks
        ]
        return reply

    def find_blocks(self):
        import torch

        saved = self.model.state_dict(keep_vars=True)
        blocks = []
        for name, tensor in self.model.named_parameters():
            trained = "bias" if tensor.dim() < 2 else "weight"
            blocks.append((name, trained if tensor.requires_grad else "statistic", tensor))
        self.constants = []  # Integers such as counters: each sum starts from the first values.
        for name, tensor in self.model.named_buffers():
            if name in saved and tensor.is_floating_point():
                blocks.append((name, "statistic", tensor))
            elif name in saved:
                self.constants.append((tensor, tensor.clone()))
        for name, _, tensor in blocks:
            if tensor.dtype != torch.float32:
                sys.exit(f"block {name}: expected entries of float32, found {tensor.dtype}")
        return blocks

    def map(self, what, path, bytes, **_):
        """Maps a file."""
        import torch

        with open(path, "r+b") as file:
            self.memory[what] = torch.frombuffer(mmap.mmap(file.fileno(), bytes), dtype=torch.uint8)
        if what == "parameters" and self.device.type == "cpu":
            for (_, kind, tensor), view in zip(self.blocks, self.views("parameters")):
                if isinstance(tensor, torch.nn.Parameter):
                    tensor.data = view
        return {}

    def floats(self, what):
        import torch

        return self.memory[what].view(torch.float32)

    def views(self, what):
        """A view of each block in a mapped vector."""
        start = 0
        vector = self.floats(what)
        for _, _, tensor in self.blocks:
            yield vector[start : start + tensor.numel()].view(tensor.shape)
            start += aligned(tensor.numel())

    def labels(self, **_):
        """Writes the classes of the user's own examples."""
        import torch

        self.memory["labels"].view(torch.int32).copy_(self.examples.classes())
        return {}

    def data(self, text, size, width, own=None, **_):
        """Says what examples are: their features and targets, or numbers of the user's own."""
        self.text, self.size, self.width = text, size, width
        self.examples = None if own is None else Examples(own["file"], own["options"])
        return {}

    def initialize(self, seed, **_):
        """Writes the parameters that PyTorch draws with a seed."""
        import torch

        torch.manual_seed(seed)
        drawn = self.build()
        values = dict(drawn.named_parameters()) | dict(drawn.named_buffers())
        with torch.no_grad():
            for (name, _, _), view in zip(self.blocks, self.views("parameters")):
                view.copy_(values[name])
        return {}

    def take_parameters(self):
        import torch

        with torch.no_grad():
            for (_, _, tensor), view in zip(self.blocks, self.views("parameters")):
                if tensor.data_ptr() != view.data_ptr():
                    tensor.copy_(view)

    def add(self, count, seed=None, **_):
        """Adds the gradients of some examples; a seed begins a sum."""
        import torch

        if seed is not None:
            torch.manual_seed(seed)
            self.take_parameters()
            self.model.train()
            self.model.zero_grad(set_to_none=True)
            self.moved = [
                (tensor, tensor.clone(), torch.zeros_like(tensor))
                for _, kind, tensor in self.blocks
                if kind == "statistic"
            ]
        loss = self.loss(*self.batch(count))
        loss.backward()
        with torch.no_grad():
            for tensor, start, update in self.moved:
                update += (start - tensor) * count
                tensor.copy_(start)
            for tensor, start in self.constants:
                tensor.copy_(start)
        return {"loss": loss.item()}

    def finish(self, **_):
        """Writes the sum of the gradients."""
        import torch

        updates = {id(tensor): update for tensor, _, update in self.moved}
        with torch.no_grad():
            for (_, _, tensor), view in zip(self.blocks, self.views("gradient")):
                found = updates.get(id(tensor), tensor.grad)
                view.zero_() if found is None else view.copy_(found)
        return {}

    def evaluate(self, count, **_):
        """The scores of some examples."""
        import torch

        self.take_parameters()
        self.model.eval()
        with torch.no_grad():
            inputs, targets = self.batch(count)
            score = getattr(self.module, "score", None)
            if score is not None:
                loss, right = score(self.model, inputs, targets)
            elif hasattr(self.module, "loss"):
                loss, right = self.loss(inputs, targets), float("nan")
            else:
                outputs = self.model(inputs)
                loss = self.usual_loss(outputs, targets)
                right = self.right(outputs, targets)
        return {"loss": float(loss), "right": float(right)}

    # Examples and losses.

    def batch(self, count):
        """Inputs and targets of the examples that AMB has written."""
        import torch

        if self.examples is not None:
            batch = self.examples.batch(self.memory["examples"].view(torch.int32)[:count])
            if not (isinstance(batch, (list, tuple)) and len(batch) == 2):
                batch = (batch, None)
        else:
            end = count * self.size
            channels, height, width = self.form.shape
            shape = (width,) if channels == height == 1 else (channels, height, width)
            inputs = self.floats("examples")[:end].view(count, *shape)
            start = aligned(end)
            kind = torch.int32 if self.form.targets == "class" else torch.float32
            targets = self.memory["examples"].view(kind)[start : start + count * self.width]
            targets = targets.view(count) if self.width == 1 else targets.view(count, self.width)
            batch = (
                inputs.long() if self.text else inputs,
                targets.long() if kind == torch.int32 else targets.view(count, self.width),
            )
        return self.moved_to_device(batch)

    def moved_to_device(self, batch):
        if self.device.type == "cpu":
            return batch
        if hasattr(batch, "to"):
            return batch.to(self.device)
        if isinstance(batch, dict):
            return {key: self.moved_to_device(value) for key, value in batch.items()}
        if isinstance(batch, (list, tuple)):
            return [self.moved_to_device(value) for value in batch]
        return batch

    def loss(self, inputs, targets):
        if hasattr(self.module, "loss"):
            return self.module.loss(self.model, inputs, targets)
        return self.usual_loss(self.model(inputs), targets)

    def usual_loss(self, outputs, targets):
        """Cross-entropy of classes, as a mean over positions; else a mean over the outputs."""
        from torch.nn import functional

        if not targets.is_floating_point():
            rows = functional.cross_entropy(
                outputs.reshape(-1, outputs.shape[-1]), targets.reshape(-1), reduction="sum"
            )
            return rows / targets[0].numel()
        if outputs.shape != targets.shape:
            sys.exit(f"expected outputs of shape {tuple(targets.shape)}, found {tuple(outputs.shape)}")
        labeled = self.form.targets == "labels"
        loss = functional.binary_cross_entropy_with_logits if labeled else functional.mse_loss
        return loss(outputs, targets, reduction="sum") / targets[0].numel()

    def right(self, outputs, targets):
        if not targets.is_floating_point():
            found = outputs.argmax(dim=-1) == targets
        elif self.form.targets == "labels":
            found = (outputs > 0) == (targets > 0.5)
        else:
            found = (outputs - targets).abs() < 0.5
        return found.float().sum() / targets[0].numel()


def main():
    channel = Channel()
    worker = Worker()
    requests = ("hello", "map", "labels", "data", "initialize", "add", "finish", "evaluate")
    while (request := channel.read()) is not None:
        do = request.pop("do", None)
        if do not in requests:
            sys.exit(f"expected a request of {', '.join(requests)}, found {do!r}")
        channel.write(getattr(worker, do)(**request))


if __name__ == "__main__":
    main()
