import numpy as np

d0, d2, d3 = olympus.devices()[0], olympus.devices()[2], olympus.devices()[3]

def where(x):
  return f"{sorted(d.id for d in x.devices())} {'committed' if x.committed else 'uncommitted'}"

# arrays are placed uncommitted on the default device, and so are results of computations with them
x = jnp.ones(3)
print("made:", where(x))
print("computed:", where(x + 1))

# which can be overridden
with olympus.default_device(d3):
  y = jnp.ones(3)
  print("made there:", where(y))
  print("jitted there:", where(olympus.jit(lambda: jnp.arange(3) + 1)()))

# device_put with a device commits, and computations follow
a = olympus.device_put(x, d2)
print("put:", where(a))
print("followed:", where(a + x), where(olympus.jit(lambda p, q: p * q)(a, y)))

# device_put without a device leaves what is on a device, and places what is not
print("left:", where(olympus.device_put(a)), where(olympus.device_put(y)))
print("placed:", where(olympus.device_put(np.ones(3))), where(olympus.device_put(1)))
