xs = olympus.random.normal(olympus.random.PRNGKey(0), (8192, 8192))
