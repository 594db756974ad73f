# SPDX-License-Identifier: Apache-2.0
"""Resized images against sums over kernels written out, and what a filter keeps."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage

import olympus
import olympus.numpy as jnp
from olympus import image
from olympus.errors import ArgumentError, NotSupportedError
from olympus.scipy import ndimage
from olympus.scipy.cluster.vq import vq
from olympus.test_util import check_grads

KERNELS = {
    "linear": lambda x: np.maximum(0, 1 - x),
    "cubic": lambda x: np.where(
        x < 1, 1.5 * x**3 - 2.5 * x**2 + 1, np.where(x < 2, -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2, 0)),
    "lanczos3": lambda x: np.where(x < 3, np.sinc(x) * np.sinc(x / 3), 0),
    "lanczos5": lambda x: np.where(x < 5, np.sinc(x) * np.sinc(x / 5), 0),
}


def filtered(x: np.ndarray, n: int, scale: float, shift: float, method: str, antialias: bool) -> np.ndarray:
    """One result after another, of one dimension."""
    found = np.zeros(n)
    width = max(1 / scale, 1) if antialias else 1.0
    for i in range(n):
        middle = (i + 0.5 - shift) / scale - 0.5
        if not -0.5 <= middle <= len(x) - 0.5:
            continue
        if method == "area":
            edges = middle + np.array([-0.5, 0.5]) / scale
            places = np.arange(len(x))
            weights = np.maximum(np.minimum(edges[1], places + 0.5) - np.maximum(edges[0], places - 0.5), 0)
        else:
            weights = KERNELS[method](np.abs(middle - np.arange(len(x))) / width)
        found[i] = (weights * x).sum() / weights.sum()
    return found


@pytest.mark.parametrize("method", [*KERNELS, "area"])
def test_every_method_is_its_filter(method: str) -> None:
    x = np.random.default_rng(0).normal(size=7)
    for n in (1, 3, 10):
        for antialias in (True, False):
            wanted = filtered(x, n, n / 7, 0.0, method, antialias)
            found = image.resize(x.astype(np.float32), (n,), method, antialias=antialias)
            np.testing.assert_allclose(found, wanted, atol=2e-5)
    for scale, shift in ((1.7, 0.3), (0.4, -0.6)):
        found = image.scale_and_translate(x, (6,), (-1,), jnp.array([scale]), jnp.array([shift]), method)
        np.testing.assert_allclose(found, filtered(x, 6, scale, shift, method, True), atol=2e-5)


def test_what_pytorch_calls_cubic() -> None:
    x = np.random.default_rng(5).normal(size=7).astype(np.float32)
    np.testing.assert_array_equal(image.resize(x, (3,), "cubic-pytorch"), image.resize(x, (3,), "cubic"))
    # Between four elements at 1/2, with a of -3/4; the border is repeated.
    found = image.resize(x[:6], (3,), "cubic-pytorch", antialias=False)
    wide = np.concatenate([x[:1], x[:6], x[5:6]])
    wanted = [(-3 * wide[i] + 19 * wide[i + 1] + 19 * wide[i + 2] - 3 * wide[i + 3]) / 32 for i in (0, 2, 4)]
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_dimensions_are_filtered_one_after_the_other() -> None:
    x = np.random.default_rng(1).normal(size=(4, 3, 5)).astype(np.float32)
    found = image.resize(x, (2, 3, 9), image.ResizeMethod.CUBIC)
    wanted = np.apply_along_axis(filtered, 0, x, 2, 0.5, 0.0, "cubic", True)
    np.testing.assert_allclose(found, np.apply_along_axis(filtered, 2, wanted, 9, 1.8, 0.0, "cubic", True), atol=2e-5)
    np.testing.assert_allclose(olympus.vmap(lambda x: image.resize(x, (3, 9), "cubic"))(x), image.resize(
        x, (4, 3, 9), "cubic"), atol=1e-6)
    np.testing.assert_array_equal(image.resize(np.arange(6), (4,), "nearest"), [0, 2, 3, 5])
    assert image.resize(np.arange(6), (4,), "linear").dtype == np.float32
    assert image.resize(jnp.ones((4, 4), "bfloat16"), (2, 0), "linear").shape == (2, 0)
    assert image.ResizeMethod.from_string("bicubic") is image.ResizeMethod.CUBIC


def test_derivatives_by_image_scale_and_translation() -> None:
    with olympus.enable_x64():
        x = np.random.default_rng(2).normal(size=5)
        check_grads(lambda x, s, t: image.scale_and_translate(x, (4,), (0,), s, t, "cubic"),
                    (x, np.array([0.83]), np.array([0.21])), order=2)


def test_what_does_not_fit_is_refused() -> None:
    x, one = jnp.ones((3, 4)), jnp.ones(1)
    for call in (lambda: image.resize(x, (3,), "linear"), lambda: image.resize(x, (3, 4), "round"),
                 lambda: image.resize(x[:0], (2, 4), "linear"),
                 lambda: image.scale_and_translate(x, (3, 4), (0,), one, one, "nearest"),
                 lambda: image.scale_and_translate(x, (3, 5), (0,), one, one, "linear"),
                 lambda: image.scale_and_translate(x, (3, 4), (0, 1), one, one, "linear"),
                 lambda: image.scale_and_translate(x, (3, 4), (0, -2), jnp.ones(2), jnp.ones(2), "linear"),
                 lambda: ndimage.map_coordinates(x, [one], 1), lambda: ndimage.map_coordinates(x, [one, one], 6),
                 lambda: ndimage.map_coordinates(x, [one, one], 1, mode="other"),
                 lambda: vq(x, jnp.ones((2, 3))), lambda: vq(x, jnp.ones((0, 4)))):
        with pytest.raises(ArgumentError):
            call()
    for order, mode in ((2, "nearest"), (5, "constant"), (1, "grid-wrap")):  # of SciPy's, but not here
        with pytest.raises(NotSupportedError):
            ndimage.map_coordinates(x, [one, one], order, mode)


@pytest.mark.parametrize("mode", ["constant", "nearest", "wrap", "mirror", "reflect"])
def test_values_at_coordinates(mode: str) -> None:
    random = np.random.default_rng(3)
    theirs = {"constant": "grid-constant", "wrap": "grid-wrap"}.get(mode, mode)
    for shape in ((6, 5), (1, 4)):
        x = random.normal(size=shape)
        places = [np.concatenate([random.uniform(-2 * n, 3 * n, 50), [0.0, n - 1.0, -0.25, n - 0.75]]) for n in shape]
        for order in (0, 1):
            wanted = scipy.ndimage.map_coordinates(x, places, order=order, mode=theirs, cval=2.5)
            with olympus.enable_x64():
                found = ndimage.map_coordinates(x, places, order, mode, 2.5)
            np.testing.assert_allclose(found, wanted, atol=1e-12, err_msg=f"{shape} {order}")
    whole = ndimage.map_coordinates(np.arange(6) * 3, [np.array([0.5, 1.9])], 1, mode)
    np.testing.assert_array_equal(whole, [2, 6])
    with olympus.enable_x64():
        check_grads(lambda x, p: ndimage.map_coordinates(x, [p], 1, mode),
                    (np.arange(4.0) ** 2, np.array([0.3, 2.6])), order=2)


def test_nearest_vectors() -> None:
    random = np.random.default_rng(4)
    x, book = random.normal(size=(20, 3)).astype(np.float32), random.normal(size=(5, 3)).astype(np.float32)
    codes, distances = vq(x, book)
    apart = np.linalg.norm(x[:, None] - book[None], axis=-1)
    np.testing.assert_array_equal(codes, apart.argmin(1))
    np.testing.assert_allclose(distances, apart.min(1), rtol=1e-6)
    np.testing.assert_array_equal(vq(x[:, 0], book[:, 0])[0], np.abs(x[:, :1] - book[:, 0]).argmin(1))
