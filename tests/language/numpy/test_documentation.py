# SPDX-License-Identifier: Apache-2.0
"""Every public function says what it takes, gives and shows; the census of what users call is covered."""

from __future__ import annotations

import inspect
import types

import pytest

import olympus
from olympus import lax, nn, random, tree
from olympus import numpy as jnp
from olympus.nn import initializers

MODULES = {"numpy": jnp, "numpy.linalg": jnp.linalg, "lax": lax, "nn": nn, "nn.initializers": initializers,
           "random": random, "tree": tree}
CONTROL_AND_COLLECTIVES = {"olympus.lax.control", "olympus.lax.parallel", "olympus.transforms.constraint"}

# The names of the census that these modules have, but for derivatives and batching.
CENSUS = """
numpy: array ones sum arange float32 zeros int32 sin where mean asarray sqrt bfloat16 concatenate ndarray zeros_like dot
maximum exp log einsum cos stack pad argmax max abs clip ones_like expand_dims allclose dtype all cumsum minimum round
broadcast_to take_along_axis tanh int8 inf reshape full bool_ vdot finfo float16 tile transpose square split flip eye
logical_and pi repeat linspace any nan argsort isnan squeeze shape full_like newaxis issubdtype roll min astype moveaxis
real size equal matmul logical_or floating bincount result_type add std sort from_dlpack float64 complex64 isfinite take
uint32 imag array_equal swapaxes
numpy.linalg: norm
lax: stop_gradient top_k broadcasted_iota dynamic_slice_in_dim Precision dot_general ragged_dot rsqrt reshape select
dynamic_update_slice_in_dim associative_scan dynamic_slice scatter_add ScatterDimensionNumbers dynamic_update_slice
conv_general_dilated with_sharding_constraint cond scan while_loop fori_loop psum pmean all_gather ppermute axis_index
axis_size psum_scatter map switch all_to_all add rem clamp div max sin conv conv_dimension_numbers slice_in_dim
bitcast_convert_type reduce_window approx_max_k dynamic_update_index_in_dim dynamic_index_in_dim optimization_barrier
conv_with_general_padding broadcast_in_dim empty gather pmax
nn: relu sigmoid softmax one_hot log_softmax silu gelu log_sigmoid softplus tanh dot_product_attention standardize
logsumexp sparse_plus
nn.initializers: zeros ones he_normal constant lecun_normal normal variance_scaling
random: normal split key PRNGKey uniform randint fold_in bernoulli categorical permutation gumbel key_data choice
rademacher truncated_normal bits
tree: map leaves unflatten flatten structure flatten_with_path map_with_path all reduce transpose leaves_with_path
reduce_associative
"""


def public(module: types.ModuleType) -> list[str]:
    names = getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]
    found = [n for n in names if n != "Initializer" and callable(getattr(module, n))]
    return sorted(n for n in found if not isinstance(getattr(module, n), type))


@pytest.mark.parametrize("name", MODULES)
def test_public_functions_are_documented(name: str) -> None:
    missing = {}
    for function in public(MODULES[name]):
        value = getattr(MODULES[name], function)
        if isinstance(value, types.GenericAlias):  # another name of a type
            continue
        if getattr(value, "__module__", "") in CONTROL_AND_COLLECTIVES or not hasattr(value, "__name__"):
            continue
        text = value.__doc__ or ""
        raises = "Raises:" in text and "NotSupportedError: Always" in text
        parts = ["Args:", "Raises:"] if raises else ["Args:", "Returns:", "Example:"]
        if inspect.signature(value).return_annotation in ("None", None):
            parts.remove("Returns:")
        if not inspect.signature(value).parameters:
            parts.remove("Args:")
        lacking = [part for part in parts if part not in text]
        if lacking:
            missing[function] = lacking
    assert not missing


def test_the_census_is_covered() -> None:
    module, missing = "", []
    for word in CENSUS.split():
        if word.endswith(":"):
            module = word[:-1]
        elif not hasattr(MODULES[module], word):
            missing.append(f"{module}.{word}")
    assert not missing


def test_lists_of_names_are_true() -> None:
    for name, module in MODULES.items():
        listed = getattr(module, "__all__", [])
        assert len(set(listed)) == len(listed), name
        assert not [n for n in listed if not hasattr(module, n)], name


def test_arrays_are_of_the_public_class() -> None:
    assert jnp.ndarray is olympus.Array
    assert isinstance(jnp.zeros(2), jnp.ndarray)
    assert olympus.jit(lambda x: jnp.full((), isinstance(x, jnp.ndarray)))(1.0)
