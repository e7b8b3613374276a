# shellcheck shell=bash
# Where Cargo keeps what it builds, made ready for this checkout. Sourced by what calls Cargo.
# SPDX-License-Identifier: Apache-2.0

# shellcheck source=setup/places.sh
. "$(dirname "${BASH_SOURCE[0]}")/places.sh"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$THINLAB_CACHE/cargo-target}

# Checkouts share the folder, and Cargo tells by times alone whether a source has changed: what another checkout built
# a moment ago, it would take for this one's.
take_cargo_target() {
  local checkout owner=$CARGO_TARGET_DIR/checkout
  checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
  [ "$(cat "$owner" 2>/dev/null)" != "$checkout" ] || return 0
  find "$checkout/lab-agent" -type f -exec touch {} +
  mkdir -p "$CARGO_TARGET_DIR"
  echo "$checkout" >"$owner"
}
take_cargo_target
