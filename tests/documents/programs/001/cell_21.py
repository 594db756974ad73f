mesh = olympus.make_mesh((8,), ('x',))
x_sharded = olympus.device_put(x, olympus.NamedSharding(mesh, P('x')))
weights_sharded = olympus.device_put(weights, olympus.NamedSharding(mesh, P()))

layer(x_sharded, weights_sharded, bias)
