# The following is run in parallel on each host in a Cloud TPU v3-32 pod slice
import olympus
olympus.device_count()  # total number of TPU cores in pod slice
olympus.local_device_count()  # number of TPU cores attached to this host
# The psum is performed over all mapped devices across the pod slice
xs = olympus.numpy.ones(olympus.local_device_count())
olympus.pmap(lambda x: olympus.lax.psum(x, 'i'), axis_name='i')(xs)
