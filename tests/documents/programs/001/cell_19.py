@olympus.jit
def layer(x, weights, bias):
  return olympus.nn.sigmoid(x @ weights + bias)
