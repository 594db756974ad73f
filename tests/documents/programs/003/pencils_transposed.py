pspecs2_4 = PartitionSpec('b', 'a')
arr2_4= multihost_utils.host_local_array_to_global_array(xs, mesh, pspecs2_4)
