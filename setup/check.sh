# shellcheck shell=bash
# How checks are run, several beside each other, and how they are counted. Sourced by setup/checks.
# SPDX-License-Identifier: Apache-2.0
#
# check NAME FOLDER COMMAND [ARGUMENT…]: passes when the command, or every command of the function, exits 0. It runs
#   beside others, as many as there are processors; its output is shown in one piece when it ends, and can be
#   followed in build/checks until then.
# check_behind …: the same for what only computes: behind the checks that run alone, one at a time, on what those leave of
#   the processors. Nothing in it may have to be done by a certain time.
# check_alone …: with nothing beside it but what is behind, and its output as it comes.
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
# What waits to run behind others: of each its words, quoted. And the process of the one that does.
behind=()
behind_now=

gear() {
  gear_now=$1
}

check() {
  is_wanted "$1" || return 0
  if [ "${ONLY:-*}" != '*' ]; then
    check_alone "$@"
    return
  fi
  while [ "${#running[@]}" -ge "$most" ]; do await_one; done
  start "$@"
}

check_behind() {
  if [ "${GEAR:-second}" = first ] || [ "${ONLY:-*}" != '*' ]; then
    check "$@"
    return
  fi
  behind+=("${*@Q}")
}

check_alone() {
  local name=$1 started status=0 process=0
  is_wanted "$name" || return 0
  await_all
  started=$SECONDS
  printf '\n▸ %s\n' "$name"
  set -m
  in_folder "$@" </dev/null &
  set +m
  local alone=$!
  running[$alone]=$name
  next_behind
  while [ "$process" != "$alone" ]; do
    status=0
    wait -n -p process "${!running[@]}" || status=$?
    if [ "$process" != "$alone" ]; then
      ended_beside "$process" "$status"
      next_behind
    fi
  done
  unset "running[$alone]"
  ended "$name" "$status" "$((SECONDS - started))"
}

finish_checks() {
  local words
  # Nothing is left that they could disturb.
  for words in "${behind[@]}"; do
    while [ "${#running[@]}" -ge "$most" ]; do await_one; done
    eval "start $words"
  done
  behind=()
  while [ "${#running[@]}" -gt 0 ]; do await_one; done
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

# start NAME FOLDER COMMAND…, beside others
start() {
  printf '… %s (%s)\n' "$1" "$(log_of "$1")"
  # A group of its own, so that all of it can be ended.
  set -m
  in_folder "$@" >"$(log_of "$1")" 2>&1 </dev/null &
  set +m
  running[$!]=$1
  began[$!]=$SECONDS
}

# Starts what waits behind others, where nothing of it runs.
next_behind() {
  if [ -n "$behind_now" ] || [ "${#behind[@]}" -eq 0 ]; then return; fi
  local words=${behind[0]}
  behind=("${behind[@]:1}")
  eval "start_behind $words"
}

# start_behind NAME FOLDER COMMAND…: in a session of its own, which tells all of it apart both from what a terminal's
# session is given (autogroup, see sched(7): there the idle class counts within a session only) and, when it has to end,
# from everything else. No `set -m` then: the leader of a group cannot begin a session.
start_behind() {
  printf '… %s, behind (%s)\n' "$1" "$(log_of "$1")"
  env --default-signal=INT,QUIT setsid chrt --idle 0 "$BASH" -c "$(declare -f)
    logs=$logs
    { echo 19 >/proc/self/autogroup; } 2>/dev/null || true
    in_folder ${*@Q}" >"$(log_of "$1")" 2>&1 </dev/null &
  running[$!]=$1
  began[$!]=$SECONDS
  behind_now=$!
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

# All but what is behind.
await_all() {
  while [ "${#running[@]}" -gt 0 ] && [ "${!running[*]}" != "$behind_now" ]; do await_one; done
}

await_one() {
  local process=0 status=0
  wait -n -p process "${!running[@]}" || status=$?
  ended_beside "$process" "$status"
}

# ended_beside PROCESS STATUS
ended_beside() {
  local name=${running[$1]}
  unset "running[$1]"
  if [ "$1" = "$behind_now" ]; then behind_now=; fi
  printf '\n▸ %s\n' "$name"
  cat "$(log_of "$name")"
  ended "$name" "$2" "$((SECONDS - began[$1]))"
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
  # As Ctrl-C would: tests then put away what they have started.
  for process in "${!running[@]}"; do kill -INT -- "-$process" 2>/dev/null || true; done
  for process in "${!running[@]}"; do wait "$process" 2>/dev/null || true; done
  running=()
}
trap 'end_others; exit 130' INT TERM
