# Create a sharding that contains half of the global devices for the first
# stage of the pipeline.
num_devices = olympus.device_count() // 2
mesh_first_half = olympus.make_mesh((num_devices,), ('a',),
                                devices=olympus.devices()[:num_devices],
                                axis_types=(olympus.sharding.AxisType.Explicit,))
sharding_first_half = NamedSharding(mesh_first_half, P('a'))

# Create a sharding that contains the other half of the devices.
mesh_second_half = olympus.make_mesh((num_devices,), ('a',),
                                 devices=olympus.devices()[num_devices:],
                                 axis_types=(olympus.sharding.AxisType.Explicit,))
sharding_second_half = NamedSharding(mesh_second_half, P('a'))

# Place the input data on the first mesh.
data = np.arange(64).reshape((8, 8))
x = olympus.device_put(data, sharding_first_half)

# `f` is the first stage of the pipeline.
@olympus.jit
def f(x):
  # Arbitrary OLYMPUS computation.
  return x

# `g` is the second stage of the pipeline
@olympus.jit
def g(x):
  # More OLYMPUS operations.
  return x

# Run the first stage on the first set of devices.
y = f(x)

# Transfer the data to the second set of devices.
# `device_put` must be called in all processes that participate in either
# `y.sharding` or `sharding_second_half`, so it's important to call `y = f(x)`
# in all processes -- not just those that participate in the first stage -- so
# that we always have a reference to `y`.
z = olympus.device_put(y, sharding_second_half)

# Run the second stage on the second set of devices.
result = g(z)
