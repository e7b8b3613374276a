#!/bin/sh
# A stack of 2008, on which the mechanisms were first measured: Reno, and losses
# found by duplicate ACKs and timeouts alone.
# SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
sysctl -q net.ipv4.tcp_congestion_control=reno
sysctl -q net.ipv4.tcp_early_retrans=0
sysctl -q net.ipv4.tcp_recovery=0
sysctl -q net.ipv4.tcp_frto=0
sysctl -q net.ipv4.tcp_autocorking=0
sysctl -q net.ipv4.tcp_ecn=0
# Makes the window scale that the kernel offers the same on each machine.
sysctl -q net.ipv4.tcp_rmem="4096 131072 15728640"
