from functools import partial

@olympus.jit
@partial(olympus.shard_map, mesh=mesh,
         in_specs=(P('x'), P('x', None), P(None)),
         out_specs=P(None))
def layer_sharded(x, weights, bias):
  return olympus.nn.sigmoid(olympus.lax.psum(x @ weights, 'x') + bias)

layer_sharded(x, weights, bias)
