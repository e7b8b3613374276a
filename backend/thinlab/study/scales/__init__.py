"""The scales: a file each, with every word that participants read and all that is peculiar to it.

`thinlab.study.scale` is the registry.

SPDX-License-Identifier: Apache-2.0
"""
