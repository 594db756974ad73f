print(z)
