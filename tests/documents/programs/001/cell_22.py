explicit_mesh = olympus.make_mesh((8,), ('X',), axis_types=(AxisType.Explicit,))

x_sharded = olympus.device_put(x, olympus.NamedSharding(explicit_mesh, P('X')))
weights_sharded = olympus.device_put(weights, olympus.NamedSharding(explicit_mesh, P()))

@olympus.jit
def layer_auto(x, weights, bias):
  print(f"x sharding: {olympus.typeof(x)}")
  print(f"weights sharding: {olympus.typeof(weights)}")
  print(f"bias sharding: {olympus.typeof(bias)}")
  out = layer(x, weights, bias)
  print(f"out sharding: {olympus.typeof(out)}")
  return out

with olympus.set_mesh(explicit_mesh):
  layer_auto(x_sharded, weights_sharded, bias)
