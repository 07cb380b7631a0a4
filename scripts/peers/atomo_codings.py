"""Measures what encoding and decoding costs in the published program of ATOMO's authors.

usage: atomo_codings.py ATOMO

ATOMO is a clone of https://github.com/hwang595/ATOMO. Its gradients are those of ResNet-18 for
CIFAR-10 in shape, and have a Laplace distribution. One thread encodes, pickles, decodes and adds
each layer, as the authors' worker and master do. Prints processor time per message.

The authors' code is for Python 2 and PyTorch 0.3. These changes make it run, and nothing else:

- a division of integers and a keyword are as Python 3 has them;
- a bucket is decoded to Python floats at once. Entries of a vector were floats up to PyTorch 0.3
  ("PyTorch 0.4.0 Migration Guide", on scalars). A current PyTorch has a tensor per entry instead,
  which makes decoding much slower.
"""
import os

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"

import pathlib
import pickle
import statistics
import sys
import tempfile
import time

import numpy as np
import torch

CHANGES = {
    "qsgd.py": [
        ("+ bucket_size - 1) / bucket_size)", "+ bucket_size - 1) // bucket_size)"),
        ("v_list.extend(v)", "v_list.extend(v.tolist())"),
    ],
    "svd.py": [("async=True", "non_blocking=True")],
    "coding.py": [],
    "utils.py": [],
}
TIMES = 5


def import_codings(source, directory):
    """Writes the changed package to the directory, and imports it."""
    package = pathlib.Path(directory, "codings")
    package.mkdir()
    (package / "__init__.py").touch()
    for name, changes in CHANGES.items():
        text = (source / name).read_text()
        for old, new in changes:
            if old not in text:
                sys.exit(f"atomo_codings: expected '{old}' in {source / name}; give the newest clone")
            text = text.replace(old, new)
        (package / name).write_text(text)
    sys.path.insert(0, directory)
    from codings.qsgd import QSGD
    from codings.svd import SVD

    return QSGD, SVD


def resnet18():
    """The shapes of all parameters, layer by layer."""
    shapes = [(64, 3, 3, 3), (64,), (64,)]
    width = 64
    for out in (64, 128, 256, 512):
        for _ in range(2):
            shapes += [(out, width, 3, 3), (out,), (out,), (out, out, 3, 3), (out,), (out,)]
            if width != out:
                shapes += [(out, width, 1, 1), (out,), (out,)]
            width = out
    return shapes + [(10, 512), (10,)]


def measure(name, worker, master, gradients):
    encode, decode = [], []
    for _ in range(TIMES):
        start = time.process_time()
        messages = [bytearray(pickle.dumps(worker.encode(g))) for g in gradients]
        encode.append(time.process_time() - start)
        start = time.process_time()
        for message, gradient in zip(messages, gradients):
            decoded = master.decode(pickle.loads(message)).numpy().astype(np.float64)
            total = np.zeros(gradient.shape)
            total += decoded.reshape(gradient.shape)
        decode.append(time.process_time() - start)
    entries = sum(g.size for g in gradients)
    megabytes = sum(map(len, messages)) / 1e6
    e, d = statistics.median(encode), statistics.median(decode)
    print(
        f"{name}: {megabytes:.1f} MB, encode {e:.2f} s, decode {d:.2f} s;"
        f" per entry {e / entries:.1e} s, {d / entries:.1e} s",
        flush=True,
    )


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n\n")[1])
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as directory:
        qsgd, svd = import_codings(pathlib.Path(sys.argv[1], "src", "codings"), directory)
        random = np.random.default_rng(1)
        gradients = [random.laplace(size=s).astype("float32") for s in resnet18()]
        for rank in 3, 1:
            master = svd(random_sample=False, rank=rank)
            measure(f"svd of rank {rank}", svd(random_sample=True, rank=rank), master, gradients)
        for scheme, bits in ("qsgd", 4), ("terngrad", 1):
            coding = qsgd(scheme, 512, quantization_level=bits)
            measure(f"{scheme} of {bits} bits", coding, coding, gradients)


if __name__ == "__main__":
    main()
