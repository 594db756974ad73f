assert array.shape == shape and array.dtype == np.int32
if array.addressable_shards:
    assert repr(array).startswith("Array(shape=" if olympus.process_count() > 1 else "Array([[")
else:
    assert repr(array) == f"Array(shape={shape}, dtype=int32)"
