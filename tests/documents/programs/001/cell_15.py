mesh = olympus.make_mesh((8,), ('x',))

f_elementwise_sharded = olympus.shard_map(
    f_elementwise,
    mesh=mesh,
    in_specs=P('x'),
    out_specs=P('x'))

arr = jnp.arange(32)
f_elementwise_sharded(arr)
