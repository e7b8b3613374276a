# shellcheck shell=bash
# How one check is run, and how they are counted. Sourced by setup/checks.
# SPDX-License-Identifier: Apache-2.0

passed=0

# check NAME FOLDER COMMAND [ARGUMENT…]: passes when the command, or every command of the function, exits 0.
# The first that fails ends the run.
check() {
  local name=$1 folder=$2 started=$SECONDS status
  shift 2
  # shellcheck disable=SC2254 # ONLY is a pattern
  case $name in ${ONLY:-*}) ;; *) return 0 ;; esac
  printf '\n▸ %s\n' "$name"
  # Not `if ! (…)`: there bash would ignore every failing command of a function but the last.
  set +e
  (set -e; cd "$folder"; "$@")
  status=$?
  set -e
  if [ "$status" -ne 0 ]; then
    printf '\n✗ %s failed. Alone: make test ONLY='\''%s'\''\n%s passed, 1 failed\n' "$name" "$name" "$passed"
    exit 1
  fi
  passed=$((passed + 1))
  printf '  ok, %s s\n' "$((SECONDS - started))"
}

finish_checks() {
  if [ "$passed" -eq 0 ]; then
    echo "no check matches ONLY='${ONLY:-*}'" >&2
    exit 1
  fi
  printf '\n%s passed, 0 failed\n' "$passed"
}
