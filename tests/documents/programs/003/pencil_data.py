xs = olympus.random.normal(olympus.random.PRNGKey(0), (1024, 1024))
