# Runs a test program of C in a guest in virtual time, where the kernel's
# complaints are failures. Sourced.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# Runs before the image's own init would, which is not in it: the shell does.
init='mkdir -p /proc /dev /spool && mount -t proc none /proc && mount -t devtmpfs none /dev &&
    mount -t hostfs none /spool && exec sh /spool/init'

# Of the guest's kernel, beside what every test has.
kernel_options=()

# compile_for_guest FOLDER: all of its files, into the program that in_guest runs.
compile_for_guest() {
    : "${THINLAB_KERNEL:?not set; run: setup/with-parts $0}" "${THINLAB_GUEST:?not set}"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir "$work/shared"
    gcc -std=gnu17 -static -O2 -Wall -Wextra -Werror -o "$work/shared/test" "$1"/*.c -lm
}

# in_guest ARGUMENT…: of the program.
in_guest() {
    local status=0
    {
        printf '/spool/test'
        printf ' %q' "$@"
        printf ' >/spool/report 2>&1\necho $? >/proc/exitcode\n'
        # Lockdep switches itself off when it has found something.
        printf "grep -q '^ debug_locks: *0\$' /proc/lockdep_stats 2>/dev/null && echo 'WARNING: lockdep is off' >&2\n"
        printf 'poweroff -f\n'
    } >"$work/shared/init"
    "$THINLAB_KERNEL" mem=256M initrd="$THINLAB_GUEST" hostfs="$work/shared" uml_dir="$work" \
        time-travel=inf-cpu time-travel-start=1577836800000000000 random.fixed_seed=1 "${kernel_options[@]}" \
        con=null con0=null,fd:2 panic=-1 panic_on_warn=1 rdinit=/bin/sh -- -c "\"${init//$'\n'/ }\"" \
        </dev/null >"$work/console" 2>&1 || status=$?
    cat "$work/shared/report"
    if grep -aE 'WARNING:|BUG:|BUG |INFO: (possible|task|rcu)|UBSAN:|ODEBUG:' "$work/console" || [ "$status" -gt 2 ]; then
        cat "$work/console" >&2
        return 1
    fi
    return "$status"
}
