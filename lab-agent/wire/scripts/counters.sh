#!/bin/sh
# Compares TCP's counters, which are those of the script's network namespace, and
# so of its connection: counters.sh NAME=N NAME=LOW.. NAME=LOW..HIGH
# SPDX-License-Identifier: GPL-2.0 OR Apache-2.0
exec awk -v claims="$*" '
	# The files hold pairs of lines, names and values, both behind their group.
	$1 != "Tcp:" && $1 != "TcpExt:" { next }
	group != $1 { group = $1; split($0, names); next }
	{ for (at = 2; at <= NF; at++) values[names[at]] = $at; group = "" }

	function fail(why) {
		print why >"/dev/stderr"
		exit failed = 1
	}

	END {
		if (!split(claims, all, " "))
			fail("counters.sh needs NAME=N")
		for (at = 1; at in all; at++) {
			split(all[at], claim, "=")
			if (!(claim[1] in values))
				fail("this kernel has no counter " claim[1])
			value = values[claim[1]]
			ends = split(claim[2], span, /\.\./)
			high = ends == 2 ? span[2] : span[1]
			if (claim[2] !~ /^[0-9]+(\.\.[0-9]*)?$/)
				fail(all[at] " is not NAME=N, NAME=LOW.. or NAME=LOW..HIGH")
			if (value + 0 < span[1] + 0 || (high != "" && value + 0 > high + 0))
				fail("expected " all[at] ", came " value)
		}
	}
' /proc/net/netstat /proc/net/snmp
