#!/bin/sh
# The kernel's defaults: CUBIC, RACK, tail loss probes, F-RTO.
# SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
sysctl -q net.ipv4.tcp_congestion_control=cubic
sysctl -q net.ipv4.tcp_early_retrans=3
sysctl -q net.ipv4.tcp_recovery=1
sysctl -q net.ipv4.tcp_frto=2
sysctl -q net.ipv4.tcp_autocorking=1
sysctl -q net.ipv4.tcp_ecn=2
# Makes the window scale that the kernel offers the same on each machine.
sysctl -q net.ipv4.tcp_rmem="4096 131072 15728640"
