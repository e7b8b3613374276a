# The kernel source: Debian's package, and from it the few files that the
# patches touch, kept so that `check` needs no second download. Sourced.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/cache.sh"

source_package=linux-source-6.12

# source_archive VERSION FOLDER: path of the source's tar file, from the
# installed package if it is this version, else fetched into FOLDER.
source_archive() {
    local archive=/usr/src/$source_package.tar.xz
    if [ "$(installed_version "$source_package")" != "$1" ] || [ ! -f "$archive" ]; then
        fetch_package "$source_package" "$1" "$2"
        archive=$2/$source_package$archive
    fi
    echo "$archive"
}

# touched_files PATCH...: the files that the patches change, one a line.
touched_files() {
    sed -n 's|^--- a/||p' "$@" | LC_ALL=C sort -u
}
