# call this file data_parallel.py, and run it with: olympus launch -n 4 -d 2 data_parallel.py

import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec as P
import numpy as np

olympus.distributed.initialize()

# each process loads its own part of every batch; nothing waits for a result before the loop has ended
mesh = olympus.make_mesh((olympus.device_count(),), ('batch',))
sharded, replicated = NamedSharding(mesh, P('batch')), NamedSharding(mesh, P())

rng = np.random.default_rng(0)
true_w = rng.normal(size=(8, 1)).astype(np.float32)

@olympus.jit
def step(w, b, x, y):
  error = x @ w + b - y
  # gradients of jnp.mean(error ** 2), by hand
  grad_w = 2 * x.T @ error / x.shape[0]
  grad_b = 2 * jnp.mean(error, axis=0)
  return w - 0.1 * grad_w, b - 0.1 * grad_b, jnp.mean(error ** 2)

w = olympus.device_put(np.zeros((8, 1), np.float32), replicated)
b = olympus.device_put(np.zeros((1,), np.float32), replicated)

losses = []
per_process = 64 // olympus.process_count()
for i in range(50):
  batch = np.random.default_rng([i, olympus.process_index()])
  local_x = batch.normal(size=(per_process, 8)).astype(np.float32)
  local_y = local_x @ true_w + 0.5
  x = olympus.make_array_from_process_local_data(sharded, local_x)
  y = olympus.make_array_from_process_local_data(sharded, local_y)
  w, b, loss = step(w, b, x, y)
  losses.append(loss)

print(f"fell below a thousandth: {losses[-1] < losses[0] / 1000}")
print(f"w is right: {np.allclose(w, true_w, atol=0.05)}, b is right: {np.allclose(b, 0.5, atol=0.05)}")
