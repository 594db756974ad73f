mesh = olympus.make_mesh((olympus.device_count() // 2, 2), ('a', 'b'))

def device_put(x, spec):
  return olympus.device_put(x, NamedSharding(mesh, spec))

# construct global arrays by sharding over the global mesh
x = device_put(jnp.ones((4096, 2048)), P('a', 'b'))
y = device_put(jnp.ones((2048, 4096)), P('b', None))

# run a distributed matmul
z = olympus.nn.relu(x @ y)

# inspect the sharding of the result
if olympus.process_index() == 0:
  olympus.debug.visualize_array_sharding(z)
  print()
  print(z.sharding)
