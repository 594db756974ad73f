# SPDX-License-Identifier: Apache-2.0
"""Distributions, each a module with the functions of its density and its shares; what samples say.

Each distribution is imported when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred

__all__ = [
    "bernoulli", "beta", "betabinom", "binom", "cauchy", "chi2", "dirichlet", "expon", "gamma", "gaussian_kde",
    "gennorm", "geom", "gumbel_l", "gumbel_r", "laplace", "logistic", "mode", "multinomial", "multivariate_normal",
    "nbinom", "norm", "pareto", "poisson", "rankdata", "sem", "t", "truncnorm", "uniform", "vonmises", "wrapcauchy",
]

if TYPE_CHECKING:
    from . import bernoulli as bernoulli
    from . import beta as beta
    from . import betabinom as betabinom
    from . import binom as binom
    from . import cauchy as cauchy
    from . import chi2 as chi2
    from . import dirichlet as dirichlet
    from . import expon as expon
    from . import gamma as gamma
    from . import gennorm as gennorm
    from . import geom as geom
    from . import gumbel_l as gumbel_l
    from . import gumbel_r as gumbel_r
    from . import laplace as laplace
    from . import logistic as logistic
    from . import multinomial as multinomial
    from . import multivariate_normal as multivariate_normal
    from . import nbinom as nbinom
    from . import norm as norm
    from . import pareto as pareto
    from . import poisson as poisson
    from . import t as t
    from . import truncnorm as truncnorm
    from . import uniform as uniform
    from . import vonmises as vonmises
    from . import wrapcauchy as wrapcauchy
    from .kernel_density import gaussian_kde as gaussian_kde
    from .samples import mode as mode
    from .samples import rankdata as rankdata
    from .samples import sem as sem
else:
    _ELSEWHERE = {**dict.fromkeys(("mode", "rankdata", "sem"), "samples"), "gaussian_kde": "kernel_density"}
    __getattr__, __dir__ = deferred(__name__, {name: _ELSEWHERE.get(name, name) for name in __all__})
