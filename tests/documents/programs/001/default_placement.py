from olympus import numpy as jnp
print(jnp.ones(3).devices())  # doctest: +SKIP
