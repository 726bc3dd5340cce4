"""The parameters that labs of networks ask for: the network, and how it is trained."""

from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from algorithms.networks.multilayer_perceptron.training import Training
from pages._shared.lab.mode_tools import Lab

HIDDEN = {
    "none": (), "1": (1,), "2": (2,), "3": (3,), "4": (4,), "6": (6,), "8": (8,), "2-2": (2, 2),
    "4-4": (4, 4), "8-8": (8, 8), "4-4-4": (4, 4, 4), "8-8-8": (8, 8, 8),
}  # fmt: skip
RATES = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0]
PENALTIES = [0.0, 0.0001, 0.001, 0.01, 0.1]
NORMS = {"L2": "penalty", "L1": "l1_penalty"}
NORM = "L2: λ/2 times the sum of all w². L1: λ times the sum of all |w|."
OPTIMIZERS = ["gradient", "AdaGrad", "RMSProp", "Adam"]
SPREADS = [0.0, 0.1, 0.3, 1.0, 3.0, 10.0]
SPREAD = "A factor on the usual spread of the first weights. With 0, all of them are 0."
EPOCHS = [30, 100, 300, 1000]
BATCHES = {"1": 1, "10": 10, "50": 50, "all": 10**6}
HELD_OUT = 0.3
MOST_UPDATES = 20_000  # a run takes two seconds at most


class Chosen(NamedTuple):
    """The chosen network and training.

    network : the other arguments of the algorithm. seed : draws the start, batches and dropout.
    """

    network: dict[str, Any]
    training: Training
    seed: int

    def how(self, **changes: Any) -> dict[str, Any]:
        """Return the arguments of the algorithm, with changes and a new generator."""
        rng = np.random.default_rng([self.seed, 2])
        return self.network | asdict(self.training) | {"rng": rng} | changes


def choose_training(
    lab: Lab, points: int, *, optimizer: str = "gradient", rate: float = 1.0
) -> Chosen:
    """Ask for the network and its training.

    points : the number of points to learn from. optimizer, rate : defaults.
    """
    hidden = HIDDEN[lab.choice("hidden", "Hidden units by layer", list(HIDDEN), "4")]
    kind = lab.buttons("activation", "Activation g", ["tanh", "sigmoid", "relu"], "tanh")
    rate = lab.log_slider("rate", "Learning rate η", RATES, rate)
    size = BATCHES[lab.buttons("batch", "Points in a batch", list(BATCHES), "all")]
    epochs = int(lab.log_slider("epochs", "Epochs", EPOCHS, 300, help="At most 20,000 updates."))
    penalty = lab.log_slider("penalty", "Penalty λ", PENALTIES, 0.0)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the start, batches and dropout.")
    folded = lab.within(lab.place.expander("Optimiser, L1, start, dropout"))
    optimizer, momentum = folded.choice("optimizer", "Optimiser", OPTIMIZERS, optimizer), 0.0
    if optimizer == "gradient":
        momentum = folded.slider("momentum", "Momentum β", 0.0, 0.95, 0.0, 0.05)
    norm = folded.buttons("norm", "Kind of penalty", list(NORMS), "L2", help=NORM)
    spread = folded.log_slider("spread", "Spread of the start", SPREADS, 1.0, help=SPREAD)
    dropout = folded.slider("dropout", "Dropout: hidden units left out, %", 0, 80, 0, 10)
    updates = -(-points // size) or 1  # per epoch; without points there is no run
    network = {
        "hidden": hidden, "activation": kind, "spread": spread,
        "epochs": min(epochs, MOST_UPDATES // updates),
    }  # fmt: skip
    training = Training(
        learning_rate=rate,
        batch_size=size,
        optimizer=optimizer,  # type: ignore
        momentum=momentum,
        dropout=dropout / 100,
        **{NORMS[norm]: penalty},
    )
    return Chosen(network, training, seed)
