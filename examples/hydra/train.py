"""Hydra chooses a run's options, and those of sweeps. Not run by a test.

pip install hydra-core extras/python
python examples/hydra/train.py learning_rate=0.1
python examples/hydra/train.py --multirun scheme=fmb,async learning_rate=0.05,0.2
"""

import pathlib

import hydra
from hydra.core.hydra_config import HydraConfig
from omegaconf import OmegaConf

import amb_training as amb


@hydra.main(version_base=None, config_path=".", config_name="train")
def train(config):
    """Trains; returns the loss, which a sweeper of Hydra makes small."""
    options = OmegaConf.to_container(config, resolve=True)
    words = [options.pop(name) for name in ("data", "scheme", "rule", "batch")]
    folder = pathlib.Path(HydraConfig.get().runtime.output_dir)
    with amb.run(*words, directory=folder / "run", **options) as run:
        run.wait()
        return run.records("evaluation")[-1]["test_loss"]


if __name__ == "__main__":
    train()
