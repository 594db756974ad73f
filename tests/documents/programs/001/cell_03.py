import numpy as np
import olympus.numpy as jnp

arr = jnp.arange(32.0).reshape(4, 8)
arr.devices()
