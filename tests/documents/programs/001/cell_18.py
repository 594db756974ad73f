def f(x):
  sum_in_shard = x.sum()
  return olympus.lax.psum(sum_in_shard, 'x')

olympus.shard_map(f, mesh=mesh, in_specs=P('x'), out_specs=P())(x)
