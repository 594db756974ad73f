# SPDX-License-Identifier: Apache-2.0
"""`dot_product_attention` in whole programs over the stand-in, against float32; processes of their own."""

from __future__ import annotations

from ..conftest import RunWithGpus

HEAD = """
import logging
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus import lax, nn
from olympus.sharding import NamedSharding, PartitionSpec as P
from olympus_cuda.attention import works

made = []
def noted(function):
    def work(operation):
        made.append(operation.name)
        assert not any(v.type.shape[-2:] == (9, 12) for v in operation.operands + operation.results
                       if v.type.dtype != bool)
        return function(operation)
    return work
from olympus_cuda.products import selection
selection.attention_work = noted(selection.attention_work)
selection.gradient_work = noted(selection.gradient_work)
said = []
class Kept(logging.Handler):
    def emit(self, record):
        said.append(record.getMessage())
logging.getLogger("olympus.cuda").addHandler(Kept())
logging.getLogger("olympus.cuda").setLevel(logging.INFO)

random = np.random.default_rng(0)
def some(*shape):
    return random.normal(size=shape)
heads, groups = 2, 1
operands = [some(2, 9, heads, 16), some(2, 12, groups, 16), some(2, 12, groups, 16)]
halves = [jnp.asarray(x, jnp.float16) for x in operands]
singles = [jnp.asarray(x, jnp.float32) for x in halves]
weights = some(2, 9, heads, 16).astype(np.float32)
def attention(q, k, v, **options):
    return nn.dot_product_attention(q, k, v, **{"is_causal": True, **options}).astype(jnp.float32)
def loss(q, k, v, **options):
    return (attention(q, k, v, **options) * weights).sum()

def compared(function, forward=1, backward=0):
    made.clear()
    found = [np.asarray(x, np.float64) for x in olympus.tree.leaves(function(*halves))]
    count = made.count("fused_attention"), made.count("fused_attention_gradient")
    assert count == (forward, backward), count
    wanted = [np.asarray(x, np.float64) for x in olympus.tree.leaves(function(*singles))]
    for x, y in zip(found, wanted, strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=4e-3 * max(1, np.abs(y).max()))
    assert not said, said
"""


def test_masks_and_lengths(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
mask = random.random((2, 1, 9, 12)) > 0.4
mask[1, 0, 2] = False
lengths = np.array([5, 0])
for options in ({"mask": mask}, {"key_value_seq_lengths": lengths},
                {"mask": mask[0, 0, :1], "key_value_seq_lengths": lengths, "query_seq_lengths": lengths}):
    both = olympus.jit(lambda q, k, v: olympus.value_and_grad(lambda *x: loss(*x, **options), (0, 1, 2))(q, k, v))
    compared(both, 1, 1)
""")


def test_positions_and_sums(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
for options in ({"is_causal": False}, {"local_window_size": (3, 2), "scale": 0.7},
                {"local_window_size": (2**30, 2**30)}):
    both = olympus.jit(lambda q, k, v: olympus.value_and_grad(lambda *x: loss(*x, **options), (0, 1, 2))(q, k, v))
    compared(both, 1, 1)
def with_sums(q, k, v):
    out, sums = nn.dot_product_attention(q, k, v, return_residual=True)
    return (out.astype(jnp.float32) * weights).sum() + (sums.astype(jnp.float32) * weights[..., 0]).sum()
compared(olympus.jit(olympus.value_and_grad(with_sums, (0, 1, 2))), 1, 1)
compared(lambda q, k, v: attention(q[0], k[0], v[0]))
""")


def test_what_has_no_kernel_is_composed(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
compared(olympus.jit(lambda q, k, v: attention(q, k, v, bias=np.ones((9, 12), np.float32))), 0)
compared(olympus.jit(lambda q, k, v: attention(q, k, v, scale=-1.0)), 0)
compared(olympus.jit(lambda q, k, v: attention(q[..., :7], k[..., :7], v[..., :7])), 0)
compared(olympus.jit(lambda q, k, v: attention(q, k[:, :3], v[:, :3], is_causal=False, local_window_size=2)), 0)
""")


def test_batches(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
def batches(function):
    def mapped(q, k, v):
        return olympus.jit(olympus.vmap(function, (0, None, 0)))(jnp.stack([q, 2 * q]), k, jnp.stack([v, -v]))
    return mapped
compared(batches(olympus.grad(loss, (0, 1))), 1, 1)
""")


def test_batches_of_masks(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
mask = random.random((2, 1, 1, 9, 12)) > 0.3
compared(lambda q, k, v: olympus.jit(olympus.vmap(lambda q, m: attention(q, k, v, mask=m)))(jnp.stack([q, -q]), mask))
compared(lambda q, k, v: olympus.jit(olympus.vmap(lambda q: attention(q, k, v, mask=mask[0])))(jnp.stack([q, -q])))
""")


def test_derivatives_in_other_transformations(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
compared(olympus.jit(olympus.grad(olympus.checkpoint(loss), (0, 2))), 1, 1)
compared(olympus.jit(lambda q, k, v: olympus.jvp(loss, (q, k, v), (q, k, v))))
def hessian_product(q, k, v):
    return olympus.jvp(lambda x: olympus.grad(loss)(x, k, v), (q,), (k.sum() * 0 + q,))[1]
made_here = olympus.jit(hessian_product)(*halves)
np.testing.assert_allclose(made_here.astype(jnp.float32), olympus.jit(hessian_product)(*singles), atol=8e-3)
def layers(q, k, v):
    def layer(x, factor):
        return nn.dot_product_attention(x * factor, k, v, is_causal=True), None
    return lax.scan(layer, q, jnp.asarray([1.0, 2.0, 0.5], q.dtype))[0].astype(jnp.float32).sum()
compared(olympus.jit(olympus.grad(layers)), 1, 1)
""")


def test_constants_exports_and_shards(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD.replace("= 2, 1", "= 4, 2") + """
compared(lambda q, k, v: (lambda x: olympus.jit(lambda: attention(*map(jnp.asarray, x)))())(
    [np.asarray(x) for x in (q, k, v)]), 0)
compared(lambda q, k, v: olympus.export.export(olympus.jit(attention))(q, k, v).call(q, k, v), 0)
mesh = olympus.make_mesh((2, 2), ("a", "b"))
def split(function, spec):
    def run(*operands):
        return function(*(olympus.device_put(x, NamedSharding(mesh, spec)) for x in operands))
    return run
by_heads = P("a", None, "b", None)
compared(split(olympus.jit(attention), by_heads))
compared(split(olympus.jit(olympus.grad(loss, (0, 1, 2))), by_heads), 1, 1)
assert "no collectives" in str(olympus.explain(olympus.grad(loss, (0, 1, 2)), *(
    olympus.device_put(x, NamedSharding(mesh, by_heads)) for x in halves)))
compared(split(olympus.jit(attention), P(None, None, None, "b")))
""", OLYMPUS_NUM_CUDA_DEVICES="4")
