a = olympus.random.normal(olympus.random.PRNGKey(0), (5,5))
a.devices()
#out : [cuda(id=0)]
