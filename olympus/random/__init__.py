"""Random numbers from keys: a function of the key, the shape and the type alone, alike on every platform and sharding.

The bits come from the counter generator Threefry-2x32: an element's bits depend on the key and the element's index.
"""

from .distributions import (
    bernoulli,
    bits,
    cauchy,
    exponential,
    gumbel,
    laplace,
    logistic,
    normal,
    rademacher,
    randint,
    truncated_normal,
    uniform,
)
from .keys import (
    PRNGKey,
    PRNGKeyArray,
    clone,
    fold_in,
    key,
    key_data,
    key_impl,
    split,
    wrap_key_data,
)
from .sampling import (
    categorical,
    choice,
    permutation,
)

__all__ = [
    "PRNGKey", "PRNGKeyArray", "bernoulli", "bits", "categorical", "cauchy", "choice", "clone", "exponential",
    "fold_in", "gumbel", "key", "key_data", "key_impl", "laplace", "logistic", "normal", "permutation", "rademacher",
    "randint", "split", "truncated_normal", "uniform", "wrap_key_data",
]
