from olympus.experimental import mesh_utils
from olympus.sharding import PositionalSharding

# Create a Sharding object to distribute a value across devices:
sharding = PositionalSharding(mesh_utils.create_device_mesh((4,)))

# Create an array of random values:
x = olympus.random.normal(olympus.random.PRNGKey(0), (4096, 4096))
olympus.debug.visualize_array_sharding(x)
