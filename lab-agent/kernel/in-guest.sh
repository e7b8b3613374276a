# Runs a test program of C in a guest in virtual time, where the kernel's
# complaints are failures. Sourced.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# Runs before the image's own init would, which is not in it: the shell does.
init='mkdir -p /proc /dev /sys /spool && mount -t proc none /proc && mount -t devtmpfs none /dev &&
    mount -t sysfs none /sys && mount -t hostfs none /spool && exec sh /spool/init'

# What the debug kernel can tell, around the program: lockdep switches itself off when it has found something; what SCTP
# still has once all associations had the time for a thousand retransmissions, and to end; and memory that nobody points
# to any more, of which kmemleak is sure when it has seen it twice.
# shellcheck disable=SC2016 # for the guest's shell
questions_before='
mount -t debugfs none /sys/kernel/debug 2>/dev/null
objects=/proc/net/sctp/sctp_dbg_objcnt leaks=/sys/kernel/debug/kmemleak
before=$(cat $objects 2>/dev/null)
'
# shellcheck disable=SC2016
questions_behind='
if grep -q "^ debug_locks: *0\$" /proc/lockdep_stats 2>/dev/null; then echo "WARNING: lockdep is off"; fi
if [ -e $objects ]; then
    sleep 100000
    behind=$(cat $objects)
    [ "$before" = "$behind" ] || echo "WARNING: SCTP had $before, and has $behind"
fi
if [ -e $leaks ]; then
    echo scan >$leaks; sleep 10; echo scan >$leaks
    ! grep . $leaks || echo "WARNING: nobody points to this memory"
fi
'

# Of the guest's kernel, beside what every test has.
kernel_options=()

# The debug kernel needs more than that.
guest_megabytes=${GUEST_MEGABYTES:-256}

# compile_for_guest FOLDER: all of its files and what the programs share, into the program that in_guest runs.
compile_for_guest() {
    : "${THINLAB_KERNEL:?not set; run: setup/with-parts $0}" "${THINLAB_GUEST:?not set}"
    work=$(mktemp -d)
    trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
    mkdir "$work/shared"
    gcc -std=gnu17 -static -O2 -Wall -Wextra -Werror -o "$work/shared/test" \
        "$1"/*.c "$(dirname "${BASH_SOURCE[0]}")"/hosts/*.c -lm
}

# in_guest ARGUMENT…: of the program.
in_guest() {
    local status=0 shown
    : >"$work/shared/progress"
    tail -f "$work/shared/progress" >&2 &
    shown=$!
    {
        printf '%s/spool/test' "$questions_before"
        printf ' %q' "$@"
        printf ' >/spool/report 2>&1\necho $? >/proc/exitcode\n{ %s} >&2\npoweroff -f\n' "$questions_behind"
    } >"$work/shared/init"
    "$THINLAB_KERNEL" mem="$guest_megabytes"M initrd="$THINLAB_GUEST" hostfs="$work/shared" uml_dir="$work" \
        time-travel=inf-cpu time-travel-start=1577836800000000000 random.fixed_seed=1 "${kernel_options[@]}" \
        con=null con0=null,fd:2 panic=-1 panic_on_warn=1 rdinit=/bin/sh -- -c "\"${init//$'\n'/ }\"" \
        </dev/null >"$work/console" 2>&1 || status=$?
    kill "$shown"
    wait "$shown" 2>/dev/null || true
    cat "$work/shared/report"
    if grep -aE 'WARNING:|BUG:|BUG |INFO: (possible|task|rcu)|UBSAN:|ODEBUG:' "$work/console" || [ "$status" -gt 2 ]; then
        cat "$work/console" >&2
        return 1
    fi
    return "$status"
}
