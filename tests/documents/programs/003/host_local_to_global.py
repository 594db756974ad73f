global_mesh = olympus.sharding.Mesh(olympus.devices(), 'x')
pspecs = olympus.sharding.PartitionSpec('x')
host_id = olympus.process_index()
arr = multihost_utils.host_local_array_to_global_array(xs, global_mesh, pspecs)
