"""How this installation is: looked at every few seconds, told to the researcher and to Prometheus.

SPDX-License-Identifier: Apache-2.0
"""
