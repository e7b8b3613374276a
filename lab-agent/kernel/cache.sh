# What the kernel's and the guest's build scripts share: a lock on the cache,
# and Debian packages fetched without installing them. Sourced.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# Sets THINLAB_CACHE, the folder that holds everything slow to make.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/../../setup/places.sh"

progress() { echo "$*" >&2; }

fail() {
    echo "error: $*" >&2
    exit 1
}

make_folder() {
    if ! mkdir -p "$1" || [ ! -w "$1" ]; then
        fail "cannot write to $1. Set THINLAB_CACHE to a folder of your own."
    fi
}

# lock_folder FOLDER: creates FOLDER and holds it until the script ends, so
# that two runs do not build the same thing.
lock_folder() {
    make_folder "$1"
    exec 9>"$1/lock"
    if ! flock -n 9; then
        progress "waiting for another build in $1"
        flock 9
    fi
}

# work_folder FOLDER MEGABYTES: sets $work to an empty folder beside the
# results, which vanishes when the script ends; what a killed run left is
# removed. Call with the lock held.
work_folder() {
    local free
    work=$1/work
    rm -rf "$work"
    free=$(df --output=avail -m "$1" | tail -n 1)
    [ "$free" -ge "$2" ] ||
        fail "$1 has $((free)) MB free and $2 MB are needed. Free some, or set THINLAB_CACHE to a folder on a larger disk."
    mkdir "$work"
    trap 'rm -rf "$work"' EXIT
}

# offered_version PACKAGE: the version apt would install, else the installed
# one. Noted in the cache, because apt takes a second or more to answer an
# ordinary user, and right until apt's lists or the installed packages change.
offered_version() {
    local version note=$THINLAB_CACHE/offered/$1
    if [ "$note" -nt /var/lib/apt/lists ] && [ "$note" -nt /var/lib/dpkg/status ]; then
        cat "$note"
        return
    fi
    version=$(apt-cache show --no-all-versions "$1" 2>/dev/null | sed -n 's/^Version: //p')
    [ -n "$version" ] || version=$(installed_version "$1")
    [ -n "$version" ] ||
        fail "apt knows no package $1. Run 'apt-get update' as root, on Debian 12 with its security archive."
    make_folder "$THINLAB_CACHE/offered"
    echo "$version" >"$note.$$"
    mv "$note.$$" "$note"
    echo "$version"
}

# offered_versions NAME PACKAGE…: a line "PACKAGE VERSION" for each, as
# offered_version gives it, with one question to apt; NAME is the note's.
offered_versions() {
    local package versions note=$THINLAB_CACHE/offered/$1.list
    shift
    if [ "$note" -nt /var/lib/apt/lists ] && [ "$note" -nt /var/lib/dpkg/status ] &&
        [ "$(cut -d' ' -f1 "$note" | xargs)" = "$*" ]; then
        cat "$note"
        return
    fi
    versions=$(apt-cache show --no-all-versions "$@" 2>/dev/null |
        awk '/^Package: / { package = $2 } /^Version: / { print package, $2 }')
    make_folder "$THINLAB_CACHE/offered"
    for package; do
        awk -v package="$package" '$1 == package { print; exit }' <<<"$versions" | grep . ||
            echo "$package $(offered_version "$package")"
    done >"$note.$$"
    mv "$note.$$" "$note"
    cat "$note"
}

installed_version() {
    dpkg-query -W -f '${db:Status-Status} ${Version}' "$1" 2>/dev/null | sed -n 's/^installed //p'
}

# fetch_package PACKAGE VERSION FOLDER: its files under FOLDER/PACKAGE. apt
# checks them against the archive's signature.
fetch_package() {
    if ! (cd "$3" && apt-get download -q -o APT::Sandbox::User=root "$1=$2") >"$3/download.log" 2>&1; then
        cat "$3/download.log" >&2
        fail "cannot fetch the Debian package $1 $2. Check the network; if apt's lists are old, run 'apt-get update' as root."
    fi
    dpkg-deb -x "$3/$1"_*.deb "$3/$1"
    rm "$3/$1"_*.deb
}

# fetch_packages VERSIONS FOLDER: the files of all of them in one new FOLDER.
# VERSIONS as from offered_versions.
fetch_packages() {
    local package version archive exact=()
    while read -r package version; do
        exact+=("$package=$version")
    done <<<"$1"
    mkdir "$2" "$2.deb"
    if ! (cd "$2.deb" && apt-get download -q -o APT::Sandbox::User=root "${exact[@]}") >"$2.log" 2>&1; then
        cat "$2.log" >&2
        fail "cannot fetch the Debian packages ${exact[*]}. Check the network; if apt's lists are old, run 'apt-get update' as root."
    fi
    for archive in "$2.deb"/*.deb; do
        dpkg-deb -x "$archive" "$2"
    done
    rm -r "$2.deb"
}
