"""QUEST+: which level to present next, and what the answers so far say about a threshold. Pure.

Bayesian adaptive estimation of a psychometric function (A. B. Watson: QUEST+: a general
multidimensional Bayesian adaptive psychometric method, Journal of Vision 17(3):10, 2017,
doi 10.1167/17.3.10), which generalises QUEST (Watson and Pelli, Perception & Psychophysics
33:113, 1983): `function` is the psychometric function, `posterior` what is known about its
parameters and which level tells most about them, `group` what several people's thresholds have
in common, `simulated` observers whose threshold is known.

Our own, and no library: `questplus` on PyPI was last released in April 2023, and brings xarray,
pandas and json-tricks with it for what are a few sums over one array.

SPDX-License-Identifier: Apache-2.0
"""
