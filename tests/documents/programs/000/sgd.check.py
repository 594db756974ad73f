# The same loop in NumPy, over the batches of all processes.
count, per = olympus.process_count(), 64 // olympus.process_count()
w_, b_ = np.zeros((8, 1), np.float32), np.zeros((1,), np.float32)
for i_ in range(50):
    x_ = np.concatenate([
        np.random.default_rng([i_, p]).normal(size=(per, 8)).astype(np.float32) for p in range(count)
    ])
    error_ = x_ @ w_ + b_ - (x_ @ true_w + 0.5)
    np.testing.assert_allclose(losses[i_], np.mean(error_ ** 2), rtol=1e-3, atol=1e-9)
    w_, b_ = w_ - 0.1 * 2 * x_.T @ error_ / 64, b_ - 0.1 * 2 * np.mean(error_, axis=0)
np.testing.assert_allclose(w, w_, rtol=1e-4, atol=1e-6)
np.testing.assert_allclose(b, b_, rtol=1e-4, atol=1e-6)
assert w.sharding == replicated and losses[0].is_fully_replicated
