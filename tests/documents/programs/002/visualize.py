arr = olympus.device_put(jnp.ones((32, 32)), NamedSharding(mesh, P('a')))
if olympus.process_index() == 0:
  olympus.debug.visualize_array_sharding(arr)
