"""Functions of neural networks: activations, softmax, attention, and initial values of parameters."""

from ..numpy.elementwise import tanh
from . import initializers
from .activations import (
    celu,
    elu,
    gelu,
    glu,
    hard_sigmoid,
    hard_silu,
    hard_swish,
    hard_tanh,
    identity,
    leaky_relu,
    log1mexp,
    log_sigmoid,
    log_softmax,
    logmeanexp,
    logsumexp,
    mish,
    one_hot,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    soft_sign,
    softmax,
    softplus,
    softsign,
    sparse_plus,
    sparse_sigmoid,
    squareplus,
    standardize,
    swish,
)
from .attention import dot_product_attention

__all__ = [
    "celu", "dot_product_attention", "elu", "gelu", "glu", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh",
    "identity", "initializers", "leaky_relu", "log1mexp", "log_sigmoid", "log_softmax", "logmeanexp", "logsumexp",
    "mish", "one_hot", "relu", "relu6", "selu", "sigmoid", "silu", "soft_sign", "softmax", "softplus", "softsign",
    "sparse_plus", "sparse_sigmoid", "squareplus", "standardize", "swish", "tanh",
]
