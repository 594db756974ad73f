import numpy as np
from functools import partial
from olympus import lax

count, local = olympus.device_count(), olympus.local_device_count()
first = olympus.process_index() * local

# each device's index along the axis
print(olympus.pmap(lambda x: lax.axis_index('i'), axis_name='i')(np.zeros(local)))

# the last dimension of the first argument is mapped; every device has the second whole; results are joined as columns
@partial(olympus.pmap, axis_name='i', in_axes=(1, None), out_axes=1)
def column(x, y):
  return lax.pmax(x, 'i') * y + lax.axis_index('i')

x = np.arange(2 * count).reshape(2, count)[:, first:first + local]
print(column(x, 10))

# Python values
@partial(olympus.pmap, axis_name='i', static_broadcasted_argnums=(1, 2))
def power(x, exponent, where):
  if where == 'mean':
    return lax.pmean(x ** exponent, 'i')
  return lax.all_gather(x ** exponent, 'i')

values = np.arange(first, first + local, dtype=np.float32)
print(power(values, 2, 'mean'))
print(power(values, 3, 'gathered')[0])

# containers, a result that all devices share, memory that may be used again
@partial(olympus.pmap, axis_name='i', out_axes=({'total': None}, 0), donate_argnums=0)
def step(state, batch):
  total = lax.psum(batch['x'], 'i')
  return {'total': total}, state + lax.ppermute(batch['x'], 'i', [(i, (i + 1) % count) for i in range(count)])

state = olympus.pmap(lambda x: x * 100)(values)
summary, after = step(state, {'x': values})
print(summary, after, state.is_deleted())
