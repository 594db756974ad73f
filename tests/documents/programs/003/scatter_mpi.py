from mpi4py import MPI
comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

def create_and_scatter_numpy_array(func:callable, **kwargs):
    
    array_split = None
    if rank == 0:
        # Allocate the array on the root process
        array = func(**kwargs)
        array_split = np.array_split(array, size)
        print(f"Intial Process {rank} has array {array.shape}") # size=(1024, 128)
        print(f"Intial Process {rank} has array split {len(array_split)}") # list of 8
        print(f"Intial Process {rank} has array split shape {array_split[0].shape}") # shape=(128,128)


    # Scatter the single process array from rank 0 to all other process
    array_piece = comm.scatter(array_split, root=0)

    return array_piece

array_piece = create_and_scatter_numpy_array(np.random.normal, size=(1024, 128))
print(f"Process {rank} has array piece {array_piece.shape}") # size=(128, 128)
input_shape = (1024, 128)

def cb(index):
    # Ignore index
    return array_piece

olympus.distributed.initialize()

devices = mesh_utils.create_device_mesh((8,))
global_mesh = Mesh(devices, axis_names=('a'))
inp_sharding = olympus.sharding.NamedSharding(global_mesh,P('a'))
arr = olympus.make_array_from_callback(input_shape, inp_sharding, cb)

print(arr.shape) #(1024,128)
print(arr.addressable_shards[0].data.shape) #(128, 128) 

