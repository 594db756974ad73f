assert arr.shape == (8,) and arr.addressable_shards[0].index == (slice(host_id, host_id + 1),)
back = multihost_utils.global_array_to_host_local_array(arr, global_mesh, pspecs)
assert back.is_fully_addressable and back.tolist() == xs.tolist()
