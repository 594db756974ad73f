def split_array2d(arr, row_splits, col_splits):
    """Split an array into a custom number of row and column splits."""
    row_height = arr.shape[0] // row_splits
    col_width = arr.shape[1] // col_splits
    result = []
    for r in range(row_splits):
        for c in range(col_splits):
            start_row = r * row_height
            end_row = (r + 1) * row_height
            start_col = c * col_width
            end_col = (c + 1) * col_width
            result.append(arr[start_row:end_row, start_col:end_col])
    return result

def split_array(arr, splits, axis=0):
    """Split an array for scattering """
    if isinstance(splits, int):
        return np.array_split(arr, splits, axis=axis)
    elif isinstance(splits,tuple):
        return split_array2d(arr, splits[0], splits[1])

def create_and_scatter_numpy_array(func:callable,split_shape, **kwargs):
    
    array_split = None
    array_shape = None
    if rank == 0:
        # Allocate the array on the root process
        array = func(**kwargs)
        # Get the shape to be broadcaster later
        array_shape = array.shape
        # Split according to the specified decomposition
        array_split = split_array(array,split_shape)

    # Split the array into 8 pieces on the root process
    array_piece = comm.scatter(array_split, root=0)
    array_shape = comm.bcast(array_shape, root=0)

    return array_piece, array_shape


sharding_shape = (4,2)
# Create a generator object
rng = np.random.default_rng(42)  # seed for global array
# Generate random numbers
array = rng.normal(size=(1024,128))
input_shape = array.shape

rng = np.random.default_rng(42)  # seed for scattered array
array_piece, array_shape = create_and_scatter_numpy_array(rng.normal,split_shape=sharding_shape , size=(1024, 128))
# Scatter the pieces of the array to all processes
print(f"Process {rank} has array piece {array_piece.shape}") # size=(256,64)
# Now, array_piece contains a piece of the array on each process

def cb(index):
    # Check if the scattered array matches the indices
    assert(not False in (array_piece == array[index])) # Passes
    return array_piece

olympus.distributed.initialize()

devices = mesh_utils.create_device_mesh(sharding_shape)
global_mesh = Mesh(devices, axis_names=('a', 'b'))
inp_sharding = olympus.sharding.NamedSharding(global_mesh,P('a', 'b'))

XY_Pencil = olympus.make_array_from_callback(input_shape, inp_sharding, cb)

transposed_sharding = olympus.sharding.NamedSharding(global_mesh,P('b' ,'a'))
YZ_Pencil = olympus.make_array_from_callback(input_shape, transposed_sharding, lambda index: array[index])
