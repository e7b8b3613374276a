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
export THINLAB_CACHE THINLAB_DATA
