import numpy as np

assert sharding.shape == (4,) and x.shape == (4096, 4096)
# The bits of a key are the same everywhere, so these are the peer's numbers, too.
np.testing.assert_allclose(x[0, :3], [1.6226422, 2.0252647, -0.43359444], rtol=1e-6)
np.testing.assert_allclose(x[-1, -1], -0.32755738, rtol=1e-6)
