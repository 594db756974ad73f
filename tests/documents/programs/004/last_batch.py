import numpy as np

step = olympus.pmap(lambda x: olympus.lax.psum(x, 'i'), axis_name='i')

# process 1 has one batch less than the others
message = ""
for number in range(3 if olympus.process_index() != 1 else 2):
  try:
    print(step(np.full(olympus.local_device_count(), number + 1.0))[0])
  except RuntimeError as error:
    print(type(error).__name__)
    message = str(error)
