# Running the kernel's own make: without what a surrounding make or shell may
# have set, with a log, and with progress instead of its output. Sourced.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# require_tools LISTS TOOL…: every tool is a command, or libNAME.a or
# FILE.h of the C compiler's; else names the packages in LISTS as the remedy.
require_tools() {
    local lists=$1 tool missing=()
    shift
    for tool; do
        has_tool "$tool" || missing+=("$tool")
    done
    [ "${#missing[@]}" = 0 ] || missing_prerequisites "$lists" "${missing[@]}"
}

has_tool() {
    case $1 in
        *.a) [ -f "$(gcc -print-file-name="$1")" ] ;;
        *.h) echo "#include <$1>" | gcc -fsyntax-only -x c - 2>/dev/null ;;
        *) command -v "$1" >/dev/null ;;
    esac
}

# missing_prerequisites LISTS TOOL…
missing_prerequisites() {
    local packages
    # shellcheck disable=SC2086 # several files
    packages=$(sed 's/#.*//' $1 | tr -s '[:space:]' ' ')
    shift
    fail "the kernel's build misses: $*. As root: apt-get install $packages"
}

kernel_make() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u KBUILD_OUTPUT -u CFLAGS -u LDFLAGS -u CROSS_COMPILE \
        LC_ALL=C make "$@"
}

# logged_make LOG EXPECTED ARGUMENT…: EXPECTED files are about to be compiled,
# 0 when nobody has counted. The log stays when it fails.
logged_make() {
    local log=$1 expected=$2 failed=0
    shift 2
    kernel_make "$@" 2>&1 | tee "$log" | show_progress "$expected" || failed=1
    if [ "$failed" = 1 ]; then
        tail -n 30 "$log" >&2
        fail "the kernel does not compile; the whole log is $log."
    fi
    rm "$log"
}

# show_progress EXPECTED: turns make's lines into a count, in place on a
# terminal, every tenth part of the work elsewhere.
show_progress() {
    local line count=0 step=$(($1 / 10)) total='' end=$'\n'
    [ "$1" = 0 ] || total=" of about $1"
    [ "$step" != 0 ] || step=500
    if [ -t 2 ]; then
        step=1
        end=$'\r'
    fi
    while read -r line; do
        case $line in 'CC '* | 'AS '*) count=$((count + 1)) ;; *) continue ;; esac
        [ $((count % step)) != 0 ] ||
            printf 'kernel: compiled %d%s files%s' "$count" "$total" "$end" >&2
    done
    progress "kernel: compiled $count files                    "
}
