# shellcheck shell=bash
# Where Thinlab keeps what it builds and what it records, unless the caller says otherwise. Sourced.
# SPDX-License-Identifier: Apache-2.0

if [ "$(id -u)" -eq 0 ]; then
  : "${THINLAB_CACHE:=/var/cache/thinlab}"
  : "${THINLAB_DATA:=/var/lib/thinlab}"
else
  : "${THINLAB_CACHE:=${XDG_CACHE_HOME:-$HOME/.cache}/thinlab}"
  : "${THINLAB_DATA:=${XDG_DATA_HOME:-$HOME/.local/share}/thinlab}"
fi
# One for each checkout: Cargo tells by times whether a source has changed, and would take for this checkout's what
# another one built a moment ago.
checkout_key() { cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P | sha256sum | cut -c1-8; }
: "${CARGO_TARGET_DIR:=$THINLAB_CACHE/cargo-target/$(checkout_key)}"
export THINLAB_CACHE THINLAB_DATA CARGO_TARGET_DIR
