# shellcheck shell=bash
# What containers must not be able to do, tried from inside each of them; setup/compose/test sources this.
# SPDX-License-Identifier: Apache-2.0
#
# Expressions in single quotes are the container's shell's; `services`, `published` and `listened` are the test's.
# shellcheck disable=SC2016,SC2154

# Runs a command of a shell in a service's container.
within() { compose exec -T "$1" sh -c "$2"; }

# As Docker was told, and as the kernel holds it.
bounded() {
  local service=$1 told memory
  told=$(of "$service" '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.Privileged}} {{.HostConfig.CapAdd}} {{.HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}}')
  [ "$told" = 'true false [] [ALL] [no-new-privileges:true]' ] || fail "$service is not confined: $told"
  [ -n "$(of "$service" '{{.Config.User}}')" ] || fail "$service runs as root."
  memory=$(of "$service" '{{.HostConfig.Memory}}')
  [ "$memory" -gt 0 ] || fail "$service may use all memory."
  [ "$(of "$service" '{{.HostConfig.PidsLimit}}')" -gt 0 ] || fail "$service may start any number of processes."
  # It has run, and is over.
  [ "$service" != migrate ] || return 0
  within "$service" '! touch /written /usr/written /etc/written 2>/dev/null' || fail "$service can write to its image."
  within "$service" '[ "$(id -u)" != 0 ]' || fail "$service is root."
  # Capabilities it has and could have; no new privileges; Docker's filter of system calls.
  told=$(within "$service" "sed -nE 's/^(CapEff|CapBnd|NoNewPrivs|Seccomp):\s*0*([0-9a-f])\$/\2/p' /proc/1/status" | tr '\n' ' ')
  [ "$told" = '0 0 1 2 ' ] || fail "$service is not confined by the kernel: $told"
  told=$(within "$service" 'cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max 2>/dev/null || true')
  [ "$told" = "$memory" ] || fail "$service has a bound of memory of '$told', not of $memory."
}

# No service sees more than it needs of the others.
apart() {
  local service
  for service in postgres lab-agent live-lab-agent; do
    [ "$(within "$service" 'cat /proc/net/dev' | grep -c ':')" = 1 ] || fail "$service has a network."
    [ "$(within "$service" 'cat /proc/net/tcp /proc/net/tcp6' | grep -c ' 0A ')" = 0 ] || fail "$service listens."
  done
  for service in lab-agent live-lab-agent frontend; do
    within "$service" '! ls /run/postgresql/.s.PGSQL.5432 2>/dev/null' || fail "$service sees the database."
  done
  for service in postgres frontend; do
    within "$service" '! ls -d /run/thinlab 2>/dev/null' || fail "$service sees the agents."
  done
  for service in lab-agent live-lab-agent; do
    [ "$(within "$service" 'find / -xdev -name "*.sock" -type s 2>/dev/null; find /run/thinlab -type s')" = /run/thinlab/lab.sock ] \
      || fail "$service sees more than its own socket."
  done
  # Who stole the backend cannot stand in for a database or an agent.
  within backend '! touch /run/postgresql/x /run/thinlab/lab/x /run/thinlab/live-lab/x 2>/dev/null' \
    || fail "The backend can put something in the place of its sockets."
  within backend '! rm -f /run/thinlab/live-lab/lab.sock 2>/dev/null' || fail "The backend can take an agent's socket away."
}

# Each guest that runs for people meets Docker's filter of system calls and its own; Landlock is told of by the health page.
guests_held() {
  local told
  told=$(within live-lab-agent 'for status in $(grep -lE "^Name:.(linux|exe)\$" /proc/[0-9]*/status); do
      grep -cE "^(CapEff:.0+|NoNewPrivs:.1|Seccomp_filters:.2)$" "$status"
    done' | sort -u)
  [ "$told" = 3 ] || fail "Not every guest is held, of three things: $told"
  ! compose logs --no-log-prefix live-lab-agent lab-agent | grep confines || fail "An agent lacks something."
}

# A crowd of processes ends where the bound is.
processes_end() {
  local told
  told=$(within frontend 'i=0; while [ $i -lt 64 ]; do sleep 1 & i=$((i + 1)); done; wait' 2>&1 || true)
  grep -q fork <<<"$told" || fail "frontend can start more processes than it may."
}

# The backend is no owner of the database, and cannot become one.
no_owner() {
  compose exec -T backend python3 - <<'PYTHON' || fail "The backend reaches more of the database than it should."
import asyncio, asyncpg

async def main():
    place = "/thinlab?host=/run/postgresql"
    for role in ("thinlab_owner", "postgres", "thinlab"):
        try:
            await asyncpg.connect(f"postgresql://{role}@{place}")
        except asyncpg.InvalidAuthorizationSpecificationError:
            continue
        raise SystemExit(f"connected as {role}")
    application = await asyncpg.connect(f"postgresql://thinlab_app@{place}")
    for attempt in ("delete from vote", "alter table vote disable trigger all", "copy vote to program 'id'"):
        try:
            await application.execute(attempt)
        except asyncpg.InsufficientPrivilegeError:
            continue
        raise SystemExit(attempt)

asyncio.run(main())
PYTHON
}

# Where somebody beside the containers could ask: published by Docker, and listened at here.
listening() {
  local ports
  ports=$(docker ps --format '{{.Ports}}' | grep -o '[0-9.:]*->' | sort -u)
  [ "$ports" = "$published" ] || fail "Published: $(docker ps --format '{{.Names}} {{.Ports}}')"
  ports=$(ss --no-header --listening --tcp --numeric | awk '{print $4}' | sort | tr '\n' ' ')
  [ "$ports" = "$listened" ] || fail "Listened at: $ports"
}

confined() {
  local service
  for service in "${services[@]}" migrate; do bounded "$service"; done
  apart
  guests_held
  processes_end
  no_owner
  listening
}

# The backend asks nobody outside, and nobody asks it but nginx. What comes from outside is neither an answer nor a
# refusal: packets are dropped, or there is no route. 10.0.2.3 is the engine's own resolver, which containers on other
# networks reach.
no_way_out() {
  local backend network
  compose exec -T backend python3 - <<'PYTHON' || fail "The backend has a way out."
import socket

try:
    socket.create_connection(("10.0.2.3", 53), 3)
except ConnectionRefusedError:
    raise SystemExit("refused")
except OSError:
    pass
else:
    raise SystemExit("connected")
try:
    socket.getaddrinfo("deb.debian.org", 80)
except socket.gaierror:
    raise SystemExit(0)
raise SystemExit("a name was resolved")
PYTHON
  backend=$(of backend '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}')
  for network in bridge "${COMPOSE_PROJECT_NAME}_outside"; do
    docker run --rm --network "$network" thinlab-backend python3 -c '
import socket, sys
try:
    socket.create_connection((sys.argv[1], 8000), 3)
except OSError:
    raise SystemExit(0)
raise SystemExit(1)' "$backend" || fail "Whoever is on the network $network reaches the backend."
  done
  # The same question where it has to be answered.
  within frontend "curl --silent --fail --max-time 3 --output /dev/null http://$backend:8000/api/health" \
    || fail "nginx does not reach the backend at $backend, so that nothing was shown."
}
