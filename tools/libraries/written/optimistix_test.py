"""What optimistix's documentation says, for which its distribution has no tests: run with JAX and with olympus."""

import equinox as eqx
import jax
import jax.numpy as jnp
import lineax as lx
import numpy as np
import optax
import optimistix as optx
import pytest

jax.config.update("jax_enable_x64", True)

T = {"rtol": 1e-8, "atol": 1e-8}
ROOT_FINDERS = {
    "newton": optx.Newton(**T), "chord": optx.Chord(**T), "lm": optx.LevenbergMarquardt(**T),
    "dogleg": optx.Dogleg(**T),
    "newton-qr": optx.Newton(**T, linear_solver=lx.QR()),
    "best": optx.BestSoFarRootFinder(optx.Newton(**T)),
}
LEAST_SQUARES = {
    "gn": optx.GaussNewton(**T), "lm": optx.LevenbergMarquardt(**T), "dogleg": optx.Dogleg(**T),
    "ilm": optx.IndirectLevenbergMarquardt(**T), "bfgs": optx.BFGS(**T),
    "lm-normal": optx.LevenbergMarquardt(**T, linear_solver=lx.Normal(lx.Cholesky())),
    "best": optx.BestSoFarLeastSquares(optx.GaussNewton(**T)),
}
MINIMISERS = {
    "bfgs": optx.BFGS(**T), "dfp": optx.DFP(**T), "lbfgs": optx.LBFGS(**T),
    "cg": optx.NonlinearCG(**T), "cg-fletcher": optx.NonlinearCG(**T, method=optx.fletcher_reeves),
    "descent": optx.GradientDescent(0.1, **T), "nelder-mead": optx.NelderMead(**T),
    "optax": optx.OptaxMinimiser(optax.adam(0.05), **T), "best": optx.BestSoFarMinimiser(optx.BFGS(**T)),
}


def close(got, wanted, tolerance=1e-5):
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance), got, wanted)


def circle(y, radius):
    return {"on": y[0] ** 2 + y[1] ** 2 - radius ** 2, "even": y[0] - y[1]}


@pytest.mark.parametrize("name", ROOT_FINDERS)
def test_roots(name):
    start = (jnp.array(0.6), jnp.array(0.9))

    def solve(radius):
        return optx.root_find(circle, ROOT_FINDERS[name], start, radius, max_steps=2000).value

    radius = jnp.array(1.3)
    side = 1.3 / np.sqrt(2)
    close(eqx.filter_jit(solve)(radius), (side, side))
    close(jax.jacrev(solve)(radius), (np.sqrt(0.5), np.sqrt(0.5)), 1e-4)
    if name in ("newton", "lm"):
        close(jax.jvp(solve, (radius,), (jnp.array(2.0),))[1], (np.sqrt(2), np.sqrt(2)), 1e-4)
        radii = jnp.array([1.0, 2.0])
        close(jax.vmap(solve)(radii), (radii / np.sqrt(2), radii / np.sqrt(2)))
        close(jax.vmap(jax.grad(lambda r: solve(r)[0]))(radii), np.full(2, np.sqrt(0.5)), 1e-4)


@pytest.mark.parametrize("flip", [True, False, "detect"])
def test_bisection(flip):
    sign = -1 if flip is True else 1

    def solve(a):
        return optx.root_find(lambda y, a: sign * (y ** 3 - a), optx.Bisection(**T, flip=flip), jnp.array(1.0), a,
                              options={"lower": 0.0, "upper": 4.0}).value

    close(solve(jnp.array(8.0)), 2.0)
    close(jax.grad(solve)(jnp.array(8.0)), 1 / 12)
    close(jax.vmap(solve)(jnp.array([1.0, 27.0])), [1.0, 3.0])


@pytest.mark.parametrize("name", LEAST_SQUARES)
def test_least_squares(name):
    x = np.linspace(0, 2, 20)

    def residual(y, data):
        return {"r": y["a"] * jnp.exp(-y["b"] * x) - data}

    def solve(data):
        start = {"a": jnp.array(1.5), "b": jnp.array(0.5)}
        return optx.least_squares(residual, LEAST_SQUARES[name], start, data, max_steps=2000).value

    data = jnp.asarray(2 * np.exp(-0.7 * x))
    close(eqx.filter_jit(solve)(data), {"a": 2.0, "b": 0.7}, 1e-4)
    jacobian = np.stack([np.exp(-0.7 * x), -2 * x * np.exp(-0.7 * x)], 1)
    if name in ("gn", "lm", "dogleg"):
        got = jax.jacrev(solve)(data)
        wanted = np.linalg.pinv(jacobian)
        close(got, {"a": wanted[0], "b": wanted[1]}, 1e-3)


@pytest.mark.parametrize("name", MINIMISERS)
def test_minima(name):
    def bowl(y, centre):
        return jnp.sum((y - centre) ** 2 * jnp.array([1.0, 3.0])) + 0.1 * jnp.sum((y - centre) ** 4)

    def solve(centre):
        return optx.minimise(bowl, MINIMISERS[name], jnp.zeros(2), centre, max_steps=5000).value

    centre = jnp.array([0.5, -0.8])
    close(eqx.filter_jit(solve)(centre), centre, 1e-3)
    if name in ("bfgs", "cg"):
        close(jax.jacrev(solve)(centre), np.eye(2), 1e-3)
        close(jax.vmap(solve)(jnp.stack([centre, -centre])), np.stack([centre, -centre]), 1e-3)


def test_rosenbrock_takes_as_many_steps_as_it_may():
    def rosenbrock(y, args):
        return (1 - y[0]) ** 2 + 100 * (y[1] - y[0] ** 2) ** 2

    solution = optx.minimise(rosenbrock, optx.BFGS(1e-9, 1e-9), jnp.array([-1.2, 1.0]), max_steps=400)
    close(solution.value, np.ones(2), 1e-4)
    assert 10 < int(solution.stats["num_steps"]) < 200
    stopped = optx.minimise(rosenbrock, optx.BFGS(1e-9, 1e-9), jnp.array([-1.2, 1.0]), max_steps=3, throw=False)
    assert stopped.result == optx.RESULTS.nonlinear_max_steps_reached and stopped.result != optx.RESULTS.successful
    with pytest.raises(Exception, match="maximum number of"):
        found = optx.minimise(rosenbrock, optx.BFGS(1e-9, 1e-9), jnp.array([-1.2, 1.0]), max_steps=3)
        jax.block_until_ready(found.value)


def test_golden_section():
    solver = optx.GoldenSearch(rtol=1e-6, atol=1e-6)
    found = optx.minimise(lambda y, c: (y - c) ** 2, solver, jnp.array(0.1), jnp.array(1.5),
                          options={"lower": -1.0, "upper": 4.0}, max_steps=200).value
    close(found, 1.5, 1e-4)


@pytest.mark.parametrize("adjoint", ["implicit", "checkpoint"])
def test_fixed_points(adjoint):
    kind = optx.ImplicitAdjoint() if adjoint == "implicit" else optx.RecursiveCheckpointAdjoint()

    def solve(a):
        return optx.fixed_point(lambda y, a: jnp.cos(a * y), optx.FixedPointIteration(**T), jnp.array(0.5), a,
                                adjoint=kind, max_steps=200).value

    y = 0.7390851332151607
    close(solve(jnp.array(1.0)), y)
    close(jax.grad(solve)(jnp.array(1.0)), -np.sin(y) * y / (1 + np.sin(y)))
    close(jax.jit(jax.vmap(solve))(jnp.array([1.0, 0.0])), [y, 1.0])


def test_auxiliary_output_and_steps_taken_by_hand():
    def f(y, args):
        return y ** 2 - args, {"twice": 2 * y}

    solution = optx.root_find(f, optx.Newton(**T), jnp.array(1.0), 2.0, has_aux=True)
    close(solution.aux["twice"], 2 * np.sqrt(2))
    solver, y, args = optx.BFGS(**T), jnp.array([1.0, 2.0]), None

    def g(y, args):
        return jnp.sum((y - 3) ** 2), None

    shapes = jax.eval_shape(lambda: g(y, args))
    f_struct, aux_struct = shapes
    state = solver.init(g, y, args, {}, f_struct, aux_struct, frozenset())
    step = eqx.filter_jit(eqx.Partial(solver.step, fn=g, args=args, options={}, tags=frozenset()))
    done = False
    for _ in range(50):
        y, state, _ = step(y=y, state=state)
        done, result = solver.terminate(g, y, args, {}, state, frozenset())
        if done:
            break
    assert done
    close(y, np.full(2, 3.0), 1e-4)


def test_norms_and_compatibility():
    tree = {"a": jnp.array([3.0, 4.0]), "b": jnp.array([[0.0, 12.0]])}
    close(optx.two_norm(tree), 13.0)
    close(optx.max_norm(tree), 12.0)
    close(optx.rms_norm(tree), 6.5)
    close(jax.grad(optx.two_norm)({"a": jnp.zeros(2)})["a"], np.zeros(2))
    found = optx.compat.minimize(lambda y: jnp.sum((y - 1) ** 2), jnp.zeros(3), method="bfgs")
    close(found.x, np.ones(3), 1e-3)
