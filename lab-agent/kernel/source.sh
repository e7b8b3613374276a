# The kernel source: Debian's package, and from it the few files that the
# patches touch and packetdrill's selftests, kept so that neither `check` nor
# `selftests` needs a second download. Sourced.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/cache.sh"

source_package=linux-source-6.12
packetdrill_selftests=tools/testing/selftests/net/packetdrill
patches=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/patches

# source_archive VERSION FOLDER: path of the source's tar file, from the
# installed package if it is this version, else fetched into FOLDER.
source_archive() {
    archive_at_hand "$1" "$2" || {
        fetch_package "$source_package" "$1" "$2"
        archive_at_hand "$1" "$2"
    }
}

# configured_tree: sets $tree to the source without the series, configured as the
# sessions' kernel is, which vanishes when the script ends. With compile.sh.
configured_tree() {
    local version archive
    version=$(offered_version "$source_package")
    lock_folder "$THINLAB_CACHE/kernel"
    work_folder "$THINLAB_CACHE/kernel" 3000
    archive=$(source_archive "$version" "$work")
    tree=$work/tree
    mkdir "$tree"
    progress "kernel: unpacking"
    tar -xJf "$archive" -C "$tree" --strip-components=1
    KCONFIG_ALLCONFIG=$patches/../config kernel_make -s ARCH=um -C "$tree" allnoconfig >&2
}

# archive_at_hand VERSION FOLDER: the same, if nothing has to be fetched.
archive_at_hand() {
    local archive=/usr/src/$source_package.tar.xz
    if [ "$(installed_version "$source_package")" != "$1" ] || [ ! -f "$archive" ]; then
        archive=$2/$source_package$archive
    fi
    [ -f "$archive" ] && echo "$archive"
}

# apply_patches TREE: the whole series, in order.
apply_patches() {
    local patch
    for patch in "$patches"/*.patch; do
        progress "kernel: $(basename "$patch")"
        patch -fs -p1 -d "$1" <"$patch" >&2 || fail "$(basename "$patch") does not apply to this source."
    done
}

# touched_files PATCH...: the files of the source that the patches change, one
# a line. What an earlier patch has made is not among them.
touched_files() {
    LC_ALL=C comm -23 <(sed -n 's|^--- a/||p' "$@" | LC_ALL=C sort -u) \
        <(sed -n '/^--- \/dev\/null$/{n;s|^+++ b/||p}' "$@" | LC_ALL=C sort -u)
}

# originals_folder VERSION: where the touched files and checkpatch are kept.
originals_folder() {
    local key
    key=$({ echo "$1"; kept_files; } | sha256sum | cut -c1-16)
    echo "$THINLAB_CACHE/kernel/originals-$key"
}

kept_files() {
    touched_files "$patches"/*.patch
    printf 'scripts/%s\n' checkpatch.pl spelling.txt const_structs.checkpatch
}

# keep_originals VERSION TREE WORK: copies them from an unpacked, unpatched
# source; and the selftests from its archive, as long as that is at hand.
keep_originals() {
    local folder
    ! archive_at_hand "$1" "$3" >/dev/null || keep_selftests "$1" "$3"
    folder=$(originals_folder "$1")
    [ ! -d "$folder" ] || return 0
    mkdir "$3/originals"
    kept_files | (cd "$2" && xargs cp --parents -t "$3/originals")
    mv "$3/originals" "$folder"
}

# unpack_originals VERSION WORK: keeps them without a tree at hand.
unpack_originals() {
    local archive
    archive=$(source_archive "$1" "$2")
    mkdir "$2/source"
    kept_files | sed "s|^|$source_package/|" |
        tar -xJf "$archive" -C "$2/source" --strip-components=1 -T -
    keep_originals "$1" "$2/source" "$2"
}

# selftests_folder VERSION: where packetdrill's selftests are kept.
selftests_folder() {
    local key
    key=$(echo "$1 $packetdrill_selftests" | sha256sum | cut -c1-16)
    echo "$THINLAB_CACHE/kernel/selftests-$key/packetdrill"
}

# keep_selftests VERSION WORK: unpacks them, which takes as long as reading the
# whole archive.
keep_selftests() {
    local folder archive
    folder=$(dirname "$(selftests_folder "$1")")
    [ ! -d "$folder" ] || return 0
    archive=$(source_archive "$1" "$2")
    mkdir "$2/selftests"
    tar -xJf "$archive" -C "$2/selftests" --strip-components=5 "$source_package/$packetdrill_selftests"
    mv "$2/selftests" "$folder"
}
