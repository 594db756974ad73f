x = jnp.arange(32)
print(f"global shape: {x.shape=}")

def f(x):
  print(f"device local shape: {x.shape=}")
  return x * 2

y = olympus.shard_map(f, mesh=mesh, in_specs=P('x'), out_specs=P('x'))(x)
