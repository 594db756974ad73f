# call this file toy.py, to be run in each process simultaneously
import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec as P

# in this example, get multi-process parameters from sys.argv
import sys
proc_id = int(sys.argv[1])
num_procs = int(sys.argv[2])

# initialize the distributed system
olympus.distributed.initialize('localhost:10000', num_procs, proc_id)

# make a mesh that refers to devices from all processes
num_local_devices = olympus.local_device_count()  # same as len(olympus.local_devices())
mesh = olympus.make_mesh((num_procs, num_local_devices), ('i', 'j'))

# make process-local arrays, one per local device
local_arrays = [
    olympus.device_put(jnp.array([[proc_id * num_local_devices + i]]), device)
    for i, device in enumerate(olympus.local_devices())
]
print(f'process={proc_id} has arrays: {local_arrays}')

# make a contoller- and device-spanning array
global_array = olympus.make_array_from_single_device_arrays(
    shape=(num_procs, num_local_devices),
    sharding=NamedSharding(mesh, P('i', 'j')),
    arrays=local_arrays,
)

# apply a simple computation, automatically partitioned
global_result = jnp.sum(jnp.sin(global_array))
print(f'process={proc_id} got result: {global_result}')
