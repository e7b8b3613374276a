# shellcheck shell=bash
# How checks are run, several beside each other, and how they are counted. Sourced by setup/checks.
# SPDX-License-Identifier: Apache-2.0
#
# check NAME FOLDER COMMAND [ARGUMENT…]: passes when the command, or every command of the function, exits 0. It runs
#   beside others, as many as there are processors; its output is shown in one piece when it ends, and can be
#   followed in build/checks until then.
# check_alone …: the same with nothing beside it, and its output as it comes.
# gear first|second: the gear of the checks that follow. GEAR=first leaves out the second.
#
# The first that fails ends all. Where ONLY chooses some, each of them runs alone.

logs=build/checks
mkdir -p "$logs"
most=$(nproc)
passed=0
declare -A running=() began=()
times=()
gear_now=first

gear() {
  gear_now=$1
}

check() {
  local name=$1
  is_wanted "$name" || return 0
  if [ "${ONLY:-*}" != '*' ]; then
    check_alone "$@"
    return
  fi
  while [ "${#running[@]}" -ge "$most" ]; do await_one; done
  printf '… %s (%s)\n' "$name" "$(log_of "$name")"
  # A group of its own, so that all of it can be ended.
  set -m
  in_folder "$@" >"$(log_of "$name")" 2>&1 </dev/null &
  set +m
  running[$!]=$name
  began[$!]=$SECONDS
}

check_alone() {
  local name=$1 started status=0
  is_wanted "$name" || return 0
  await_all
  started=$SECONDS
  printf '\n▸ %s\n' "$name"
  set -m
  in_folder "$@" </dev/null &
  set +m
  running[$!]=$name
  wait "$!" || status=$?
  unset "running[$!]"
  ended "$name" "$status" "$((SECONDS - started))"
}

finish_checks() {
  await_all
  if [ "$passed" -eq 0 ]; then
    echo "no check matches ONLY='${ONLY:-*}'" >&2
    exit 1
  fi
  printf '\n'
  printf '%s\n' "${times[@]}" | sort -rn
  printf '%s passed, 0 failed, in %s min %s s\n' "$passed" "$((SECONDS / 60))" "$((SECONDS % 60))"
}

is_wanted() {
  [ "$gear_now" = first ] || [ "${GEAR:-second}" = second ] || return 1
  # shellcheck disable=SC2254 # ONLY is a pattern
  case $1 in ${ONLY:-*}) ;; *) return 1 ;; esac
}

log_of() {
  local name=${1//[^A-Za-z]/-}
  echo "$logs/${name//--/-}.log"
}

# Not `if ! (…)`: there bash would ignore every failing command of a function but the last.
in_folder() (
  set -e
  processor_log=$PWD/$(log_of "$1")
  processor_log=${processor_log%.log}.times
  trap 'times >"$processor_log"' EXIT
  cd "$2"
  "${@:3}"
)

# processor_s NAME: what its processes, ended and waited for, took of the processors: 0m1.5s 0m0.3s in bash's words.
# A long check that computes wants less work; one that waits wants company.
processor_s() {
  local log
  log=$(log_of "$1")
  tail -n 1 "${log%.log}.times" | awk -F'[ ms]+' '{ printf "%.0f", 60 * ($1 + $3) + $2 + $4 }'
}

await_all() {
  while [ "${#running[@]}" -gt 0 ]; do await_one; done
}

await_one() {
  local process=0 status=0 name
  wait -n -p process "${!running[@]}" || status=$?
  name=${running[$process]}
  unset "running[$process]"
  printf '\n▸ %s\n' "$name"
  cat "$(log_of "$name")"
  ended "$name" "$status" "$((SECONDS - began[$process]))"
}

# ended NAME STATUS SECONDS
ended() {
  if [ "$2" -ne 0 ]; then
    end_others
    printf '\n✗ %s failed. Alone: make test ONLY='\''%s'\''\n%s passed, 1 failed\n' "$1" "$1" "$passed"
    exit 1
  fi
  passed=$((passed + 1))
  times+=("$(printf '%5s s, %5s s of a processor  %s' "$3" "$(processor_s "$1")" "$1")")
  printf '  ok, %s s, %s s of a processor\n' "$3" "$(processor_s "$1")"
}

end_others() {
  local process
  for process in "${!running[@]}"; do
    # As Ctrl-C would: tests then put away what they have started.
    kill -INT -- "-$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
  running=()
}
trap 'end_others; exit 130' INT TERM
