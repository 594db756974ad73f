"""What jaxopt's documentation says, for which its distribution has no tests: run with JAX and with olympus."""

import jax
import jax.numpy as jnp
import jaxopt
import numpy as np
import optax
import pytest
import scipy.optimize
from jaxopt import implicit_diff, isotonic, linear_solve, loss, objective, projection, prox, tree_util

jax.config.update("jax_enable_x64", True)

numbers = np.random.default_rng(0)
X = jnp.asarray(numbers.standard_normal((20, 4)))
Y = X @ jnp.arange(1.0, 5.0) + 0.1 * jnp.asarray(numbers.standard_normal(20))


def close(got, wanted, tolerance=1e-5):
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance), got, wanted)


def ridge(params, strength):
    return jnp.mean((X @ params - Y) ** 2) + 0.5 * strength * jnp.sum(params ** 2)


def ridge_truth(strength):
    return np.linalg.solve(2 * X.T @ X / 20 + strength * np.eye(4), 2 * X.T @ Y / 20)


MINIMISERS = {
    "descent": lambda: jaxopt.GradientDescent(ridge, maxiter=2000, tol=1e-9),
    "plain descent": lambda: jaxopt.GradientDescent(ridge, stepsize=0.1, acceleration=False, maxiter=2000, tol=1e-9),
    "bfgs": lambda: jaxopt.BFGS(ridge, tol=1e-9),
    "bfgs-zoom": lambda: jaxopt.BFGS(ridge, linesearch="zoom", tol=1e-9),
    "lbfgs": lambda: jaxopt.LBFGS(ridge, tol=1e-9),
    "lbfgs-back": lambda: jaxopt.LBFGS(ridge, linesearch="backtracking", tol=1e-9),
    "lbfgs-hz": lambda: jaxopt.LBFGS(ridge, linesearch="hager-zhang", tol=1e-9),
    "cg": lambda: jaxopt.NonlinearCG(ridge, tol=1e-9, maxiter=300),
    "optax": lambda: jaxopt.OptaxSolver(ridge, optax.adam(0.05), maxiter=2000, tol=1e-8),
    "scipy": lambda: jaxopt.ScipyMinimize(fun=ridge, method="BFGS", tol=1e-9),
}


@pytest.mark.parametrize("name", MINIMISERS)
def test_minimisers_and_their_implicit_derivatives(name):
    solver = MINIMISERS[name]()
    strength = 0.3
    close(solver.run(jnp.zeros(4), strength).params, ridge_truth(strength), 1e-4)
    if name not in ("scipy", "optax", "plain descent"):
        got = jax.jacrev(lambda s: solver.run(jnp.zeros(4), s).params)(strength)
        close(got, (ridge_truth(strength + 1e-4) - ridge_truth(strength - 1e-4)) / 2e-4, 1e-3)


@pytest.mark.parametrize("name", ["lbfgs", "descent"])
def test_compiled_and_batched(name):
    solver = MINIMISERS[name]()
    strengths = jnp.array([0.1, 1.0])
    got = jax.jit(jax.vmap(lambda s: solver.run(jnp.zeros(4), s).params))(strengths)
    close(got, np.stack([ridge_truth(s) for s in strengths]), 1e-4)


def test_steps_by_hand_with_trees_and_auxiliary_output():
    def f(params, x):
        error = x @ params["w"] + params["b"] - Y
        return jnp.mean(error ** 2), {"worst": jnp.max(jnp.abs(error))}

    solver = jaxopt.LBFGS(f, has_aux=True, maxiter=50)
    params = {"w": jnp.zeros(4), "b": jnp.zeros(())}
    state = solver.init_state(params, X)
    update = jax.jit(solver.update)
    for _ in range(30):
        params, state = update(params, state, X)
    whole = np.concatenate([X, np.ones((20, 1))], 1)
    wanted = np.linalg.lstsq(whole, Y)[0]
    close((params["w"], params["b"]), (wanted[:4], wanted[4]), 1e-4)
    assert state.aux["worst"].shape == () and float(solver.l2_optimality_error(params, X)) < 1e-4


@pytest.mark.parametrize("name", ["proximal", "block"])
def test_lasso(name):
    strength = 0.5
    if name == "proximal":
        solver = jaxopt.ProximalGradient(objective.least_squares, prox.prox_lasso, maxiter=2000, tol=1e-10)
        got = solver.run(jnp.zeros(4), strength, data=(X, Y)).params
        slope = jax.jacrev(lambda s: solver.run(jnp.zeros(4), s, data=(X, Y)).params)(strength)
        assert np.isfinite(slope).all()
    else:
        solver = jaxopt.BlockCoordinateDescent(objective.least_squares, prox.prox_lasso, maxiter=500, tol=1e-10)
        got = solver.run(jnp.zeros(4), strength, data=(X, Y)).params
    gradient = jax.grad(objective.least_squares)(got, (X, Y))
    active = np.abs(got) > 1e-8
    close(np.asarray(gradient)[active], -strength * np.sign(np.asarray(got)[active]), 1e-4)
    assert (np.abs(np.asarray(gradient)[~active]) <= strength + 1e-6).all()


def test_projected_and_mirror_descent():
    def f(p):
        return jnp.sum((p - jnp.array([0.7, 0.5, -0.2])) ** 2)

    wanted = projection.projection_simplex(jnp.array([0.7, 0.5, -0.2]))
    got = jaxopt.ProjectedGradient(f, projection.projection_simplex, maxiter=500, tol=1e-8).run(jnp.ones(3) / 3).params
    close(got, wanted, 1e-4)
    step = jaxopt.MirrorDescent.make_projection_grad(lambda x, _: jax.nn.softmax(x), lambda x: jnp.log(x))
    mirror = jaxopt.MirrorDescent(f, step, stepsize=0.5, maxiter=1000, tol=1e-8)
    close(mirror.run(jnp.ones(3) / 3).params, wanted, 1e-3)
    box = jaxopt.LBFGSB(f, maxiter=100).run(jnp.zeros(3), bounds=(jnp.zeros(3), jnp.full(3, 0.6))).params
    close(box, [0.6, 0.5, 0.0], 1e-4)


def test_nonlinear_least_squares():
    t = jnp.linspace(0, 2, 15)
    data = 2 * jnp.exp(-0.7 * t)

    def residual(p, data):
        return p[0] * jnp.exp(-p[1] * t) - data

    for solver in (jaxopt.GaussNewton(residual, tol=1e-9), jaxopt.LevenbergMarquardt(residual, tol=1e-9),
                   jaxopt.LevenbergMarquardt(residual, tol=1e-9, solver="qr", materialize_jac=True)):
        close(solver.run(jnp.array([1.5, 0.5]), data).params, [2.0, 0.7], 1e-4)


def test_roots_and_fixed_points():
    f = jax.jit(lambda x, a: x ** 3 - a)
    assert abs(float(jaxopt.Bisection(f, 0.0, 4.0, tol=1e-8).run(None, 8.0).params) - 2) < 1e-6
    bisection = jaxopt.Bisection(f, 0.0, 4.0, tol=1e-8, check_bracket=False)
    close(jax.grad(lambda a: bisection.run(None, a).params)(8.0), 1 / 12)
    broyden = jaxopt.Broyden(lambda x, a: x ** 3 - a, tol=1e-8, maxiter=100)
    close(broyden.run(jnp.array([1.5, 2.0]), jnp.array([8.0, 1.0])).params, [2.0, 1.0], 1e-4)
    for solver in (jaxopt.FixedPointIteration(lambda x, a: jnp.cos(a * x), maxiter=300, tol=1e-10),
                   jaxopt.AndersonAcceleration(lambda x, a: jnp.cos(a * x), maxiter=100, tol=1e-10, history_size=3)):
        close(solver.run(jnp.array([0.5]), 1.0).params, [0.7390851332], 1e-6)
        slope = jax.grad(lambda a, solver=solver: solver.run(jnp.array([0.5]), a).params[0])(1.0)
        close(slope, -np.sin(0.7390851332) * 0.7390851332 / (1 + np.sin(0.7390851332)), 1e-4)
    root = jaxopt.ScipyRootFinding(optimality_fun=lambda x, a: x ** 3 - a, method="hybr")
    close(root.run(jnp.array([1.0]), jnp.array([8.0])).params, [2.0], 1e-4)


@pytest.mark.parametrize("name", ["osqp", "box", "equality"])
def test_quadratic_programs(name):
    q, c = jnp.array([[2.0, 0.5], [0.5, 1.0]]), jnp.array([1.0, 1.0])
    a, b = jnp.array([[1.0, 1.0]]), jnp.array([1.0])
    wanted = np.linalg.solve(np.block([[np.asarray(q), np.ones((2, 1))], [np.ones((1, 2)), np.zeros((1, 1))]]),
                             [-1.0, -1.0, 1.0])[:2]
    if name == "osqp":
        got = jaxopt.OSQP(tol=1e-8, maxiter=20000).run(params_obj=(q, c), params_eq=(a, b)).params.primal
    elif name == "box":
        solver = jaxopt.BoxOSQP(tol=1e-8, maxiter=20000)
        got = solver.run(params_obj=(q, c), params_eq=a, params_ineq=(b, b)).params.primal[0]
    else:
        solver = jaxopt.EqualityConstrainedQP()
        got = solver.run(params_obj=(q, c), params_eq=(a, b)).params.primal
        slope = jax.jacrev(lambda b: solver.run(params_obj=(q, c), params_eq=(a, b)).params.primal)(b)
        close(slope.sum(), 1.0, 1e-4)
    close(got, wanted, 1e-4)


def test_projections():
    x = jnp.asarray(numbers.standard_normal(6))
    simplex = projection.projection_simplex(x)
    close(simplex.sum(), 1.0)
    assert (simplex >= 0).all()
    close(jax.jacrev(projection.projection_simplex)(x).sum(), 0.0)
    ball = projection.projection_l1_ball(x, 0.5)
    close(jnp.abs(ball).sum(), 0.5)
    close(projection.projection_l2_ball(x, 0.5), 0.5 * x / jnp.linalg.norm(x))
    close(projection.projection_box(x, (-0.1, 0.1)), np.clip(x, -0.1, 0.1))
    plane = projection.projection_hyperplane(x, (jnp.ones(6), 2.0))
    close(plane.sum(), 2.0)
    space = projection.projection_halfspace(x, (jnp.ones(6), -50.0))
    close(space.sum(), -50.0)
    transport = projection.projection_transport(jnp.ones((2, 3)), (jnp.array([0.5, 0.5]), jnp.array([0.2, 0.3, 0.5])))
    close(transport.sum(0), [0.2, 0.3, 0.5], 1e-3)


def test_proximal_operators_and_losses():
    x = jnp.array([2.0, -0.5, 0.1])
    close(prox.prox_lasso(x, 0.3), [1.7, -0.2, 0.0])
    close(prox.prox_non_negative_ridge(x, 1.0), [1.0, 0.0, 0.05])
    close(prox.prox_elastic_net(x, (0.3, 1.0)), np.array([1.7, -0.2, 0.0]) / 1.3)
    close(prox.prox_group_lasso(x, 10.0), np.zeros(3))
    close(loss.multiclass_logistic_loss(1, x), np.log(np.exp(x).sum()) + 0.5)
    close(loss.huber_loss(0.0, 3.0), 2.5)
    close(jax.grad(loss.multiclass_sparsemax_loss, argnums=1)(0, x), projection.projection_simplex(x) - np.eye(3)[0])
    close(loss.binary_logistic_loss(1, 0.3), np.log1p(np.exp(-0.3)))


def test_isotonic_regression():
    y = jnp.array([1.0, 3.0, 2.0, 4.0, 3.0, 0.0])
    got = isotonic.isotonic_l2_pav(y, increasing=True)
    close(got, scipy.optimize.isotonic_regression(y, increasing=True).x)
    assert jax.grad(lambda y: isotonic.isotonic_l2_pav(y, increasing=True)[0])(y).shape == (6,)


@pytest.mark.parametrize("name", ["cg", "normal_cg", "gmres", "bicgstab", "lu", "cholesky"])
def test_linear_solvers(name):
    matrix = np.asarray(X.T @ X) + np.eye(4)
    vector = jnp.arange(4.0)
    solve = getattr(linear_solve, f"solve_{name}")
    close(solve(lambda x: jnp.asarray(matrix) @ x, vector), np.linalg.solve(matrix, vector), 1e-4)


def test_custom_roots_and_vjps():
    def condition(x, strength):
        return jax.grad(ridge)(x, strength)

    @implicit_diff.custom_root(condition)
    def solver(start, strength):
        return jnp.linalg.solve(2 * X.T @ X / 20 + strength * jnp.eye(4), 2 * X.T @ Y / 20)

    got = jax.jacrev(solver, argnums=1)(None, 0.3)
    close(got, (ridge_truth(0.3001) - ridge_truth(0.2999)) / 2e-4, 1e-4)
    back = implicit_diff.root_vjp(condition, jnp.asarray(ridge_truth(0.3)), (0.3,), jnp.ones(4))
    close(back[0], got.sum(), 1e-4)
    forward = implicit_diff.root_jvp(condition, jnp.asarray(ridge_truth(0.3)), (0.3,), (1.0,))
    close(forward, got, 1e-4)


def test_stochastic_solvers():
    data = ((X, Y) for _ in range(200))
    polyak = jaxopt.PolyakSGD(lambda w, data: jnp.mean((data[0] @ w - data[1]) ** 2), max_stepsize=0.2, maxiter=200)
    close(polyak.run_iterator(jnp.zeros(4), data).params, np.linalg.lstsq(X, Y)[0], 0.15)
    armijo = jaxopt.ArmijoSGD(lambda w, data: jnp.mean((data[0] @ w - data[1]) ** 2), maxiter=200)
    close(armijo.run(jnp.zeros(4), (X, Y)).params, np.linalg.lstsq(X, Y)[0], 0.05)


def test_trees():
    tree = {"a": jnp.array([3.0]), "b": jnp.array([4.0])}
    close(tree_util.tree_l2_norm(tree), 5.0)
    close(tree_util.tree_add_scalar_mul(tree, 2.0, tree), {"a": np.array([9.0]), "b": np.array([12.0])})
    close(tree_util.tree_vdot(tree, tree), 25.0)
