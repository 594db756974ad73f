# The bits of a key are the same everywhere, so these are the peer's numbers, too.
np.testing.assert_allclose(xs[0, :3], [1.6226422, 2.0252647, -0.43359444], rtol=1e-6)
np.testing.assert_allclose(xs[-1, -1], -0.9431763, rtol=1e-6)
