"""What diffrax's documentation says, for which its distribution has no tests: run with JAX and with olympus."""

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import optimistix as optx
import pytest

jax.config.update("jax_enable_x64", True)

EXPLICIT = ("Euler", "Heun", "Midpoint", "Ralston", "Bosh3", "Tsit5", "Dopri5", "Dopri8", "ReversibleHeun",
            "LeapfrogMidpoint")
IMPLICIT = ("ImplicitEuler", "Kvaerno3", "Kvaerno4", "Kvaerno5")
# The order of convergence that each is known for.
ORDERS = {"Euler": 1, "Heun": 2, "Midpoint": 2, "Ralston": 2, "Bosh3": 3, "Tsit5": 5, "Dopri5": 5, "Dopri8": 8,
          "ReversibleHeun": 2, "LeapfrogMidpoint": 2, "ImplicitEuler": 1, "Kvaerno3": 3, "Kvaerno4": 4, "Kvaerno5": 5,
          "KenCarp3": 3, "KenCarp4": 4, "KenCarp5": 5, "Sil3": 2}
ADJOINTS = {"checkpoint": dfx.RecursiveCheckpointAdjoint(), "direct": dfx.DirectAdjoint(),
            "backsolve": dfx.BacksolveAdjoint(), "forward": dfx.ForwardMode()}


def close(got, wanted, tolerance=1e-5):
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance), got, wanted)


def turned(t, y, args):
    return jnp.stack([-y[1], y[0]]) * args


def run(solver, dt0, args=1.0, **options):
    return dfx.diffeqsolve(dfx.ODETerm(turned), solver, 0.0, 1.0, dt0, jnp.array([1.0, 0.5]), args, **options)


TRUTH = np.array([np.cos(1) - 0.5 * np.sin(1), np.sin(1) + 0.5 * np.cos(1)])


@pytest.mark.parametrize("name", EXPLICIT + IMPLICIT)
def test_orders_of_convergence(name):
    made = getattr(dfx, name)
    solver = made() if name in EXPLICIT else made(root_finder=dfx.VeryChord(rtol=1e-10, atol=1e-11))
    steps = (4, 8) if ORDERS[name] > 3 else (32, 64)
    errors = [np.abs(run(solver, 1 / n).ys[-1] - TRUTH).max() for n in steps]
    assert ORDERS[name] - 0.6 < np.log2(errors[0] / errors[1]) < ORDERS[name] + 1.6


@pytest.mark.parametrize("name", ["KenCarp3", "KenCarp4", "KenCarp5", "Sil3"])
def test_implicit_and_explicit_parts(name):
    terms = dfx.MultiTerm(dfx.ODETerm(lambda t, y, args: 0.3 * y), dfx.ODETerm(lambda t, y, args: -y))
    solver = getattr(dfx, name)(root_finder=dfx.VeryChord(rtol=1e-10, atol=1e-11))
    got = dfx.diffeqsolve(terms, solver, 0.0, 1.0, 1 / 32, jnp.array([2.0])).ys[-1]
    close(got, [2 * np.exp(-0.7)], 1e-4)


@pytest.mark.parametrize("adjoint", ADJOINTS)
def test_derivatives(adjoint):
    def last(rate):
        return run(dfx.Tsit5(), None, rate, adjoint=ADJOINTS[adjoint], max_steps=64,
                   stepsize_controller=dfx.PIDController(rtol=1e-9, atol=1e-9)).ys[-1]

    slope = np.array([-TRUTH[1], TRUTH[0]])
    if adjoint != "forward":
        close(jax.jit(jax.jacrev(last))(jnp.array(1.0)), slope)
    if adjoint in ("direct", "forward"):
        close(jax.jvp(last, (jnp.array(1.0),), (jnp.array(1.0),))[1], slope)


def test_batches_with_steps_of_their_own():
    rates = jnp.array([0.1, 1.0, 20.0])
    options = {"stepsize_controller": dfx.PIDController(rtol=1e-8, atol=1e-8), "max_steps": 1024}
    solution = jax.jit(jax.vmap(lambda rate: run(dfx.Dopri5(), 0.1, rate, **options)))(rates)
    close(solution.ys[:, -1, 0], np.cos(rates) - 0.5 * np.sin(rates), 1e-5)
    steps = np.asarray(solution.stats["num_steps"])
    assert (np.diff(steps) > 0).all()


def test_what_is_saved():
    times = jnp.linspace(0, 1, 7)
    controller = dfx.PIDController(rtol=1e-8, atol=1e-8)
    solution = run(dfx.Tsit5(), None, stepsize_controller=controller, saveat=dfx.SaveAt(ts=times))
    close(solution.ys[:, 0], np.cos(times) - 0.5 * np.sin(times), 1e-5)
    solution = run(dfx.Tsit5(), 0.25, saveat=dfx.SaveAt(t0=True, steps=True), max_steps=6)
    close(solution.ts, [0, 0.25, 0.5, 0.75, 1, np.inf, np.inf][: len(solution.ts)])
    assert np.isinf(solution.ys[-1]).all()
    dense = run(dfx.Tsit5(), 0.1, saveat=dfx.SaveAt(dense=True))
    close(dense.evaluate(0.55), [np.cos(0.55) - 0.5 * np.sin(0.55), np.sin(0.55) + 0.5 * np.cos(0.55)], 1e-4)
    close(dense.derivative(0.55)[0], -np.sin(0.55) - 0.5 * np.cos(0.55), 1e-3)
    parts = dfx.SaveAt(subs=[dfx.SubSaveAt(ts=times, fn=lambda t, y, args: y.sum()), dfx.SubSaveAt(t1=True)])
    first, second = run(dfx.Tsit5(), 0.1, saveat=parts).ys
    assert first.shape == (7,) and second.shape == (1, 2)


@pytest.mark.parametrize("root", [True, False])
def test_events(root):
    def fall(t, y, args):
        return y[1], -9.8 * jnp.ones(())

    def ground(t, y, args, **kwargs):
        return y[0]

    def solve(height):
        event = dfx.Event(ground, optx.Newton(1e-8, 1e-8) if root else None, direction=False if root else None)
        condition = event if root else dfx.Event(lambda t, y, args, **k: y[0] < 0)
        return dfx.diffeqsolve(dfx.ODETerm(fall), dfx.Tsit5(), 0.0, jnp.inf, 0.05, (height, jnp.array(0.0)),
                               event=condition, max_steps=256, adjoint=dfx.RecursiveCheckpointAdjoint())

    solution = solve(jnp.array(10.0))
    assert solution.result == dfx.RESULTS.event_occurred
    time = np.sqrt(20 / 9.8)
    if root:
        close(solution.ts[0], time, 1e-5)
        close(jax.grad(lambda h: solve(h).ts[0])(jnp.array(10.0)), time / 20, 1e-4)
    else:
        assert time <= float(solution.ts[0]) <= time + 0.051


def test_steady_states():
    event = dfx.Event(dfx.steady_state_event())
    solution = dfx.diffeqsolve(dfx.ODETerm(lambda t, y, a: a - y), dfx.Kvaerno5(), 0.0, jnp.inf, 0.1, jnp.zeros(2),
                               jnp.array([1.0, 2.0]), event=event, adjoint=dfx.ImplicitAdjoint(), max_steps=512,
                               stepsize_controller=dfx.PIDController(rtol=1e-6, atol=1e-6))
    close(solution.ys[-1], [1.0, 2.0], 1e-3)


def test_too_few_steps_are_told():
    assert run(dfx.Tsit5(), 0.01, max_steps=5, throw=False).result == dfx.RESULTS.max_steps_reached
    with pytest.raises(Exception, match="maximum number of solver steps"):
        jax.block_until_ready(run(dfx.Tsit5(), 0.01, max_steps=5).ys)


def test_stiff_equations_with_adaptive_steps():
    def robertson(t, y, args):
        a, b, c = y
        first = -0.04 * a + 1e4 * b * c
        third = 3e7 * b ** 2
        return jnp.stack([first, -first - third, third])

    solution = dfx.diffeqsolve(dfx.ODETerm(robertson), dfx.Kvaerno5(), 0.0, 40.0, 2e-4, jnp.array([1.0, 0, 0]),
                               stepsize_controller=dfx.PIDController(rtol=1e-8, atol=1e-10), max_steps=2000)
    close(solution.ys[-1], [0.7158270688, 9.185534765e-06, 0.2841637457], 1e-6)


@pytest.mark.parametrize("name", ["tree", "unsafe", "levy"])
def test_brownian_motion(name):
    shape = jax.ShapeDtypeStruct((3,), jnp.float64)
    if name == "unsafe":
        path = dfx.UnsafeBrownianPath(shape, jr.key(0))
        assert path.evaluate(0.0, 0.5).shape == (3,)
        return
    area = dfx.SpaceTimeLevyArea if name == "levy" else dfx.BrownianIncrement
    made = jax.vmap(lambda key: dfx.VirtualBrownianTree(0.0, 2.0, 1e-3, (), key, levy_area=area).evaluate(
        0.5, 1.7, use_levy=name == "levy"))(jr.split(jr.key(1), 2000))
    increments = made.W if name == "levy" else made
    np.testing.assert_allclose(np.std(increments), np.sqrt(1.2), rtol=0.06)
    if name == "levy":
        np.testing.assert_allclose(np.std(made.H), np.sqrt(1.2 / 12), rtol=0.06)
    tree = dfx.VirtualBrownianTree(0.0, 2.0, 1e-6, shape, jr.key(0))
    close(tree.evaluate(0.0, 1.0) + tree.evaluate(1.0, 2.0), tree.evaluate(0.0, 2.0), 1e-9)


@pytest.mark.parametrize("name", ["Euler", "ItoMilstein", "StratonovichMilstein", "EulerHeun", "Heun", "ShARK", "SRA1",
                                  "SlowRK", "SPaRK", "GeneralShARK", "SEA"])
def test_stochastic_equations(name):
    additive = name in ("ShARK", "SRA1", "SEA")
    solver = getattr(dfx, name)()
    area = dfx.BrownianIncrement if name in (
        "Euler", "ItoMilstein", "StratonovichMilstein", "EulerHeun", "Heun") else dfx.SpaceTimeLevyArea

    @eqx.filter_jit
    def ends(keys):
        def one(key):
            motion = dfx.VirtualBrownianTree(0.0, 1.0, 1e-3, (), key, levy_area=area)
            noise = (lambda t, y, args: jnp.array(0.3)) if additive else (lambda t, y, args: 0.3 * y)
            terms = dfx.MultiTerm(dfx.ODETerm(lambda t, y, args: -0.5 * y), dfx.ControlTerm(noise, motion))
            return dfx.diffeqsolve(terms, solver, 0.0, 1.0, 0.05, jnp.array(1.0)).ys[0], motion.evaluate(0.0, 1.0)

        return jax.vmap(one)(keys)

    got, motion = ends(jr.split(jr.key(2), 64))
    if additive:
        assert abs(float(np.mean(got)) - np.exp(-0.5)) < 0.15
    else:
        drift = -0.5 - 0.045 * (name in ("Euler", "ItoMilstein"))
        close(got, np.exp(drift + 0.3 * motion), 0.12)


def test_langevin_equations():
    motion = dfx.VirtualBrownianTree(0.0, 4.0, 0.005, (2,), jr.key(0), levy_area=dfx.SpaceTimeTimeLevyArea)
    terms = dfx.MultiTerm(dfx.UnderdampedLangevinDriftTerm(1.0, 1.0, lambda x, args: 2 * x),
                          dfx.UnderdampedLangevinDiffusionTerm(1.0, 1.0, motion))
    solution = dfx.diffeqsolve(terms, dfx.ShOULD(), 0.0, 4.0, 0.05, (jnp.zeros(2), jnp.zeros(2)))
    assert np.isfinite(solution.ys[0]).all() and solution.ys[1].shape == (1, 2)


def test_controls_and_interpolations():
    times = jnp.linspace(0, 3, 13)
    values = jnp.stack([times, jnp.sin(times)], -1)
    missing = values.at[3, 1].set(jnp.nan)
    filled = dfx.linear_interpolation(times, missing)
    close(filled[3, 1], (values[2, 1] + values[4, 1]) / 2)
    control = dfx.CubicInterpolation(times, dfx.backward_hermite_coefficients(times, values))
    close(control.evaluate(1.5), values[6])
    close(control.evaluate(0.5, 2.25), values[9] - values[2])
    close(control.derivative(1.6)[0], 1.0)
    term = dfx.ControlTerm(lambda t, y, args: jnp.array([[0.0, 1.0]]), control).to_ode()
    got = dfx.diffeqsolve(term, dfx.Tsit5(), 0.0, 3.0, 0.05, jnp.array([0.0])).ys[-1]
    close(got, [np.sin(3)], 1e-3)
    linear = dfx.LinearInterpolation(times, values)
    close(jax.vmap(linear.evaluate)(times), values)


def test_symplectic_steps_and_jumps():
    terms = (dfx.ODETerm(lambda t, p, args: p), dfx.ODETerm(lambda t, q, args: -q))
    got = dfx.diffeqsolve(terms, dfx.SemiImplicitEuler(), 0.0, 2 * np.pi, 0.001, (1.0, 0.0), max_steps=None).ys
    close(got[0], [1.0], 1e-2)
    controller = dfx.ClipStepSizeController(dfx.PIDController(rtol=1e-6, atol=1e-6), jump_ts=[0.5], step_ts=[0.3])
    solution = dfx.diffeqsolve(dfx.ODETerm(lambda t, y, args: jnp.where(t < 0.5, 0.0, 1.0)), dfx.Tsit5(), 0.0, 1.0, 0.2,
                               jnp.array(0.0), stepsize_controller=controller, saveat=dfx.SaveAt(t1=True))
    close(solution.ys, [0.5])


def test_half_solvers_and_steps_by_hand():
    solver = dfx.HalfSolver(dfx.Euler())
    got = run(solver, None, stepsize_controller=dfx.PIDController(rtol=1e-3, atol=1e-3)).ys[-1]
    close(got, TRUTH, 2e-2)
    term, solver, y, t = dfx.ODETerm(turned), dfx.Tsit5(), jnp.array([1.0, 0.5]), 0.0
    state = solver.init(term, 0.0, 0.1, y, 1.0)
    for _ in range(10):
        y, _, _, state, _ = solver.step(term, t, t + 0.1, y, 1.0, state, made_jump=False)
        t = t + 0.1
    close(y, TRUTH, 1e-5)


def test_complex_numbers_and_trees():
    got = dfx.diffeqsolve(dfx.ODETerm(lambda t, y, args: {"z": 1j * y["z"]}), dfx.Dopri5(), 0.0, 1.0, 0.05,
                          {"z": jnp.array(1.0 + 0j)}).ys["z"]
    close(got, [np.exp(1j)], 1e-6)


def test_training_an_equation():
    model = eqx.nn.MLP(2, 2, 8, 1, activation=jnp.tanh, key=jr.key(0))
    times = jnp.linspace(0, 1, 5)
    wanted = run(dfx.Tsit5(), 0.1, saveat=dfx.SaveAt(ts=times)).ys

    @eqx.filter_value_and_grad
    def loss(model):
        got = dfx.diffeqsolve(dfx.ODETerm(lambda t, y, model: model(y)), dfx.Tsit5(), 0.0, 1.0, 0.1,
                              jnp.array([1.0, 0.5]), model, saveat=dfx.SaveAt(ts=times)).ys
        return jnp.mean((got - wanted) ** 2)

    step = eqx.filter_jit(loss)
    first, grads = step(model)
    value = first
    for _ in range(20):
        value, grads = step(model)
        model = eqx.apply_updates(model, jax.tree.map(lambda g: None if g is None else -0.1 * g, grads))
    assert float(value) < 0.7 * float(first)
