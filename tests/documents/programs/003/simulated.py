import olympus
olympus.distributed.initialize()
print(olympus.device_count(), olympus.local_device_count())
xs = olympus.numpy.ones(olympus.local_device_count())
print(olympus.pmap(lambda x: olympus.lax.psum(x, 'i'), axis_name='i')(xs))
