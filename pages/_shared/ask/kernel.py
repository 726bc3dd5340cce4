"""The widgets that choose a kernel: one, or the sum or product of two."""

from algorithms.core.kernels import KERNELS, Kernel
from pages._shared.session.parameters import Parameters

POWERS = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0]


def choose_kernel(parameters: Parameters) -> Kernel:
    """Ask for a kernel, or for the sum or product of two, and return it."""
    first = choose_one(parameters)
    combine = parameters.buttons(
        "combine", "Combine with a second kernel", ["no", "sum", "product"], "no"
    )
    if combine == "no":
        return first
    second = choose_one(parameters, "2", "Second kernel", "linear")
    return first + second if combine == "sum" else first * second


def choose_one(
    parameters: Parameters, suffix: str = "", label: str = "Kernel", default: str = "RBF"
) -> Kernel:
    """Ask for a kernel and its parameters. suffix : the end of the parameters' names."""
    name = parameters.choice(f"kernel{suffix}", label, list(KERNELS), default)
    given: dict = {}
    if name == "polynomial":
        given["degree"] = parameters.slider(f"degree{suffix}", "Degree", 1, 6, 3)
        given["coef0"] = parameters.slider(f"constant{suffix}", "Constant", 0.0, 3.0, 1.0, 0.1)
    elif name == "RBF":
        given["gamma"] = parameters.log_slider(f"gamma{suffix}", "Gamma γ", POWERS, 1.0)
    elif name == "hyperbolic tangent":
        given["scale"] = parameters.log_slider(f"scale{suffix}", "Scale", POWERS[:7], 0.3)
        given["coef0"] = parameters.slider(f"offset{suffix}", "Offset", -3.0, 3.0, 0.0, 0.1)
    return KERNELS[name](**given)
