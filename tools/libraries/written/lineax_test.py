"""What lineax's documentation says, for which its distribution has no tests: run with JAX and with olympus."""

import functools as ft

import equinox as eqx
import jax
import jax.numpy as jnp
import lineax as lx
import numpy as np
import pytest

jax.config.update("jax_enable_x64", True)

DTYPES = ("float64", "complex128")
TOLERANCE = 1e-12
# A solver, the tag of the matrices that it takes, and whether it gives least-squares solutions.
SOLVERS = {
    "auto": (lx.AutoLinearSolver(well_posed=True), (), False),
    "auto-any": (lx.AutoLinearSolver(well_posed=False), (), True),
    "auto-none": (lx.AutoLinearSolver(well_posed=None), (), True),
    "lower": (lx.Triangular(), lx.lower_triangular_tag, False),
    "upper": (lx.Triangular(), lx.upper_triangular_tag, False),
    "unit-lower": (lx.Triangular(), (lx.lower_triangular_tag, lx.unit_diagonal_tag), False),
    "diagonal": (lx.Diagonal(), lx.diagonal_tag, False),
    "tridiagonal": (lx.Tridiagonal(), lx.tridiagonal_tag, False),
    "lu": (lx.LU(), (), False),
    "qr": (lx.QR(), (), True),
    "svd": (lx.SVD(), (), True),
    "bicgstab": (lx.BiCGStab(rtol=TOLERANCE, atol=TOLERANCE), (), False),
    "gmres": (lx.GMRES(rtol=TOLERANCE, atol=TOLERANCE), (), False),
    "cg": (lx.CG(rtol=TOLERANCE, atol=TOLERANCE), lx.positive_semidefinite_tag, False),
    "cg-negative": (lx.CG(rtol=TOLERANCE, atol=TOLERANCE), lx.negative_semidefinite_tag, False),
    "normal-cg": (lx.Normal(lx.CG(rtol=TOLERANCE, atol=TOLERANCE)), (), True),
    "lsmr": (lx.LSMR(rtol=TOLERANCE, atol=TOLERANCE), (), True),
    "cholesky": (lx.Cholesky(), lx.positive_semidefinite_tag, False),
    "cholesky-negative": (lx.Cholesky(), lx.negative_semidefinite_tag, False),
    "normal-cholesky": (lx.Normal(lx.Cholesky()), (), True),
}


def draw(shape, dtype, seed):
    numbers = np.random.default_rng(seed)
    real = numbers.standard_normal(shape)
    return real + 1j * numbers.standard_normal(shape) if dtype == "complex128" else real


def tagged(tags, dtype, seed=0):
    """A matrix of three rows that has the tags, far from singular."""
    matrix = draw((3, 3), dtype, seed) + 3 * np.eye(3)
    tags = tags if isinstance(tags, tuple) else (tags,)
    for tag in tags:
        if tag is lx.lower_triangular_tag:
            matrix = np.tril(matrix)
        elif tag is lx.upper_triangular_tag:
            matrix = np.triu(matrix)
        elif tag is lx.diagonal_tag:
            matrix = np.diag(np.diag(matrix))
        elif tag is lx.tridiagonal_tag:
            matrix = np.triu(np.tril(matrix, 1), -1)
        elif tag is lx.positive_semidefinite_tag:
            matrix = matrix @ matrix.conj().T + np.eye(3)
        elif tag is lx.negative_semidefinite_tag:
            matrix = -(matrix @ matrix.conj().T) - np.eye(3)
        elif tag is lx.unit_diagonal_tag:
            np.fill_diagonal(matrix, 1)
    return jnp.asarray(matrix)


def matrix_operator(matrix, tags):
    return lx.MatrixLinearOperator(matrix, tags)


def pytree_operator(matrix, tags):
    return lx.PyTreeLinearOperator(matrix, jax.ShapeDtypeStruct(matrix.shape[:1], matrix.dtype), tags)


def function_operator(matrix, tags):
    return lx.FunctionLinearOperator(lambda x: matrix @ x, jax.ShapeDtypeStruct(matrix.shape[1:], matrix.dtype), tags)


def jacobian_operator(matrix, tags, jac=None):
    point = jnp.asarray(draw(matrix.shape[1:], str(matrix.dtype), 9))
    return lx.JacobianLinearOperator(lambda x, args: matrix @ x + jnp.sum((x - point) ** 2), point, None, tags, jac=jac)


def composed_operator(matrix, tags):
    scale = jnp.arange(2.0, 2.0 + matrix.shape[1]).astype(matrix.dtype)
    return lx.TaggedLinearOperator(pytree_operator(matrix / scale, ()) @ lx.DiagonalLinearOperator(scale), tags)


def sum_operator(matrix, tags):
    return lx.TaggedLinearOperator(matrix_operator(0.7 * matrix, ()) + function_operator(0.3 * matrix, ()), tags)


def scaled_operator(matrix, tags):
    return lx.TaggedLinearOperator(-(jacobian_operator(-4 * matrix, ()) * 0.5 / 2), tags)


OPERATORS = {made.__name__: made for made in (matrix_operator, pytree_operator, function_operator, jacobian_operator,
                                              composed_operator, sum_operator, scaled_operator)}
OPERATORS["jacfwd_operator"] = ft.partial(jacobian_operator, jac="fwd")


def solve(make, solver, tags, matrix, vector):
    return lx.linear_solve(make(matrix, tags), vector, solver).value


def close(got, wanted):
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-7), got, wanted)


every = pytest.mark.parametrize("name", SOLVERS)
# All solvers with one kind of operator, and all kinds of operators with two solvers: each compiles programs of its own.
pairs = pytest.mark.parametrize("name, make", [(name, "matrix_operator") for name in SOLVERS] + [
    (name, make) for name in ("lu", "lsmr") for make in OPERATORS if make != "matrix_operator"])
both = pytest.mark.parametrize("dtype", DTYPES)
makers = pytest.mark.parametrize("make", OPERATORS)


@pairs
@both
def test_solutions(name, make, dtype):
    solver, tags, _ = SOLVERS[name]
    matrix, vector = tagged(tags, dtype), jnp.asarray(draw(3, dtype, 1))
    run = eqx.filter_jit(ft.partial(solve, OPERATORS[make], solver, tags))
    close(run(matrix, vector), np.linalg.solve(matrix, vector))


@every
@both
@pytest.mark.parametrize("shape", [(5, 3), (3, 5)])
def test_least_squares_and_least_norm(name, dtype, shape):
    solver, tags, any_shape = SOLVERS[name]
    if not any_shape:
        pytest.skip("it takes square matrices")
    matrix, vector = jnp.asarray(draw(shape, dtype, 2)), jnp.asarray(draw(shape[0], dtype, 3))
    close(solve(matrix_operator, solver, tags, matrix, vector), np.linalg.lstsq(matrix, vector)[0])


@pairs
@both
def test_derivatives(name, make, dtype):
    solver, tags, _ = SOLVERS[name]
    matrix, vector = tagged(tags, dtype), jnp.asarray(draw(3, dtype, 1))
    slope, move = tagged(tags, dtype, 4), jnp.asarray(draw(3, dtype, 5))
    if isinstance(tags, tuple) and lx.unit_diagonal_tag in tags:
        slope = slope - jnp.eye(3)
    run = ft.partial(solve, OPERATORS[make], solver, tags)
    value, tangent = eqx.filter_jit(eqx.filter_jvp)(run, (matrix, vector), (slope, move))
    inverse = np.linalg.inv(matrix)
    close(value, inverse @ vector)
    close(tangent, inverse @ (move - slope @ (inverse @ vector)))
    _, back = eqx.filter_vjp(lambda vector: run(matrix, vector), vector)
    close(back(move)[0], inverse.T @ move)


@pairs
def test_second_derivatives(name, make):
    solver, tags, _ = SOLVERS[name]
    matrix, vector, slope = tagged(tags, "float64"), jnp.asarray(draw(3, "float64", 1)), tagged(tags, "float64", 4)
    if isinstance(tags, tuple) and lx.unit_diagonal_tag in tags:
        slope = slope - jnp.eye(3)

    def moved(step, run):
        return run(matrix + step * slope, vector)

    got = jax.jvp(lambda t: jax.jvp(lambda s: moved(s, ft.partial(solve, OPERATORS[make], solver, tags)),
                                    (t,), (1.0,))[1], (0.0,), (1.0,))[1]
    inverse = np.linalg.inv(matrix)
    close(got, 2 * inverse @ slope @ inverse @ slope @ inverse @ vector)


@pairs
@both
def test_batches(name, make, dtype):
    solver, tags, _ = SOLVERS[name]
    matrices = jnp.stack([tagged(tags, dtype, seed) for seed in range(4)])
    vectors = jnp.asarray(draw((4, 3), dtype, 1))
    run = ft.partial(solve, OPERATORS[make], solver, tags)
    close(eqx.filter_vmap(run)(matrices, vectors), np.linalg.solve(matrices, vectors[..., None])[..., 0])
    close(eqx.filter_vmap(run, in_axes=(None, 0))(matrices[0], vectors), np.linalg.solve(matrices[0], vectors.T).T)
    close(eqx.filter_vmap(run, in_axes=(0, None))(matrices, vectors[0]), np.linalg.solve(matrices, vectors[0]))


@pairs
def test_batches_of_derivatives(name, make):
    solver, tags, _ = SOLVERS[name]
    matrices = jnp.stack([tagged(tags, "float64", seed) for seed in range(4)])
    vectors, moves = (jnp.asarray(draw((4, 3), "float64", seed)) for seed in (1, 5))
    run = ft.partial(solve, OPERATORS[make], solver, tags)
    _, got = eqx.filter_vmap(lambda m, v, t: eqx.filter_jvp(lambda v: run(m, v), (v,), (t,)))(matrices, vectors, moves)
    close(got, np.linalg.solve(matrices, moves[..., None])[..., 0])
    got = jax.vmap(jax.grad(lambda v, m, t: run(m, v) @ t))(vectors, matrices, moves)
    close(got, np.linalg.solve(np.swapaxes(matrices, -1, -2), moves[..., None])[..., 0])


@every
@both
def test_states_and_their_transposes(name, dtype):
    solver, tags, _ = SOLVERS[name]
    matrix, vector = tagged(tags, dtype), jnp.asarray(draw(3, dtype, 1))
    operator = lx.MatrixLinearOperator(matrix, tags)
    state = solver.init(operator, {})
    close(lx.linear_solve(operator, vector, solver, state=state).value, np.linalg.solve(matrix, vector))
    if name in ("auto", "auto-none", "lu"):  # with JAX, too, lineax 0.1.1 solves another system by a turned LU
        return
    joined, options = solver.conj(state, {})
    close(solver.compute(joined, vector, options)[0], np.linalg.solve(matrix.conj(), vector))
    turned, options = solver.transpose(state, {})
    close(solver.compute(turned, vector, options)[0], np.linalg.solve(matrix.T, vector))


@makers
@both
@pytest.mark.parametrize("shape", [(3, 3), (3, 5)])
def test_operators(make, dtype, shape):
    matrix, vector = jnp.asarray(draw(shape, dtype, 2)), jnp.asarray(draw(shape[1], dtype, 3))
    operator, other = OPERATORS[make](matrix, ()), jnp.asarray(draw(shape, dtype, 4))
    close(operator.mv(vector), matrix @ vector)
    close(operator.as_matrix(), matrix)
    close(operator.T.as_matrix(), matrix.T)
    close(operator.T.mv(jnp.asarray(draw(shape[0], dtype, 3))), matrix.T @ draw(shape[0], dtype, 3))
    close((operator + lx.MatrixLinearOperator(other)).as_matrix(), matrix + other)
    close((operator * 2).as_matrix(), 2 * matrix)
    close((operator / 2).T.as_matrix(), matrix.T / 2)
    close((operator @ lx.MatrixLinearOperator(other.T)).as_matrix(), matrix @ other.T)
    close(lx.linearise(operator).mv(vector), matrix @ vector)
    close(lx.materialise(operator).as_matrix(), matrix)
    close(lx.conj(operator).as_matrix(), matrix.conj())
    assert (operator.out_size(), operator.in_size()) == shape
    if shape[0] == shape[1]:
        close(lx.diagonal(operator), np.diag(matrix))


def test_backward_jacobians():
    @jax.custom_vjp
    def f(x):
        return x ** 2

    f.defvjp(lambda x: (f(x), x), lambda x, g: (2 * x * g,))
    operator = lx.JacobianLinearOperator(lambda x, args: f(x), jnp.arange(1.0, 4.0), None, jac="bwd")
    close(operator.as_matrix(), np.diag([2.0, 4.0, 6.0]))
    close(lx.linear_solve(operator, jnp.ones(3)).value, [0.5, 0.25, 1 / 6])


def test_trees():
    tree = ({"a": {"b": jnp.asarray(draw((2, 3, 4), "float64", 0))}}, {"b": jnp.asarray(draw((2, 4), "float64", 1))})
    like = jax.eval_shape(lambda: ({"a": jnp.zeros((2, 3))}, jnp.zeros(2)))
    operator = lx.PyTreeLinearOperator(tree, like)
    flat = np.concatenate([tree[0]["a"]["b"].reshape(6, 4), tree[1]["b"]])
    close(operator.as_matrix(), flat)
    vector = {"b": jnp.arange(4.0)}
    close(operator.mv(vector), ({"a": (flat[:6] @ np.arange(4.0)).reshape(2, 3)}, flat[6:] @ np.arange(4.0)))
    wanted = ({"a": jnp.asarray(draw((2, 3), "float64", 2))}, jnp.ones(2))
    got = lx.linear_solve(operator, wanted, lx.QR()).value
    close(got["b"], np.linalg.lstsq(flat, np.concatenate([wanted[0]["a"].ravel(), wanted[1]]))[0])


@pytest.mark.parametrize("name", ["lu", "auto", "cg", "bicgstab", "gmres", "cholesky"])
def test_singular_matrices_are_told(name):
    solver, tags, _ = SOLVERS[name]
    matrix = jnp.zeros((3, 3)).at[1, 1].set(1.0)
    operator = lx.MatrixLinearOperator(matrix, tags)
    solution = lx.linear_solve(operator, jnp.ones(3), solver, throw=False)
    assert solution.result != lx.RESULTS.successful
    with pytest.raises(Exception, match="inear solver|terative|breakdown|singular|inf"):
        jax.block_until_ready(lx.linear_solve(operator, jnp.ones(3), solver).value)


@pytest.mark.parametrize("name", ["auto-any", "svd", "lsmr"])
@both
def test_pseudoinverses_of_singular_matrices(name, dtype):
    solver, _, _ = SOLVERS[name]
    matrix = jnp.asarray(draw((4, 2), dtype, 0) @ draw((2, 3), dtype, 1))
    vector = jnp.asarray(draw(4, dtype, 2))
    run = ft.partial(solve, matrix_operator, solver, ())
    close(run(matrix, vector), np.linalg.pinv(matrix) @ vector)
    _, tangent = eqx.filter_jvp(lambda vector: run(matrix, vector), (vector,), (2 * vector,))
    close(tangent, 2 * np.linalg.pinv(matrix) @ vector)


def test_preconditioners_and_first_guesses():
    matrix, vector = tagged(lx.positive_semidefinite_tag, "float64"), jnp.asarray(draw(3, "float64", 1))
    operator = lx.MatrixLinearOperator(matrix, lx.positive_semidefinite_tag)
    inverse = lx.MatrixLinearOperator(jnp.linalg.inv(matrix), lx.positive_semidefinite_tag)
    for solver in (lx.CG(TOLERANCE, TOLERANCE), lx.GMRES(TOLERANCE, TOLERANCE), lx.BiCGStab(TOLERANCE, TOLERANCE)):
        wanted = np.linalg.solve(matrix, vector)
        options = {"preconditioner": inverse, "y0": jnp.asarray(wanted)}
        solution = lx.linear_solve(operator, vector, solver, options=options)
        close(solution.value, wanted)
        assert int(solution.stats["num_steps"]) <= 2


def test_float32_stays_float32():
    operator = lx.MatrixLinearOperator(jnp.eye(3, dtype="float32") * 2)
    for solver in (lx.LU(), lx.QR(), lx.SVD(), lx.AutoLinearSolver(well_posed=None)):
        got = lx.linear_solve(operator, jnp.ones(3, "float32"), solver).value
        assert got.dtype == "float32" and (got == 0.5).all()
