# Create a generator object
rng = np.random.default_rng(42)  # Seed for the global array
# Generate random numbers
array = rng.normal(size=(1024, 128))
input_shape = array.shape

#Make sure that the splits are the same exact global array
rng = np.random.default_rng(42)  # Seed for the scattered array
array_piece = create_and_scatter_numpy_array(rng.normal, size=(1024, 128))
print(f"Process {rank} has array piece {array_piece.shape}") # size=(128, 128)

def cb(index):
    # Check if the scattered array matches the indices
    assert(not False in (array_piece == array[index]))
    return array_piece

olympus.distributed.initialize()

devices = mesh_utils.create_device_mesh((8,))
global_mesh = Mesh(devices, axis_names=('a'))
inp_sharding = olympus.sharding.NamedSharding(global_mesh,P('a'))
arr = olympus.make_array_from_callback(input_shape, inp_sharding, cb)

print(arr.shape) #(1024,128)
print(arr.addressable_shards[0].data.shape) #(128, 128) 

