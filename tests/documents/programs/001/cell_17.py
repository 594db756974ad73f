def f(x):
  return jnp.sum(x, keepdims=True)

olympus.shard_map(f, mesh=mesh, in_specs=P('x'), out_specs=P('x'))(x)
