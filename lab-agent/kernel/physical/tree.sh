# The kernel's source for a physical host, kept between runs: unpacked,
# patched and configured. A later series changes only the files that differ,
# so that make compiles only what depends on them. Sourced.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck source-path=SCRIPTDIR
physical=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$physical/../source.sh"
source "$physical/../compile.sh"

config_package=linux-config-6.12
packages_cache=$THINLAB_CACHE/kernel-deb
# Not unpacked, because no x86 kernel compiles it.
unneeded=(
    "$source_package/arch/[!ux]*/*.[chS]" "$source_package/arch/[!ux]*/*.dts*"
    "$source_package/Documentation/devicetree" "$source_package/tools/testing" "$source_package/tools/perf"
)
# Symbols that follow from ./config or from the compiler's version, and may
# therefore differ from Debian's: extended regular expressions.
following=(
    'DEBUG_INFO.*' 'MODULE_ALLOW_BTF_MISMATCH' 'PROBE_EVENTS_BTF_ARGS' 'GDB_SCRIPTS' 'SCHED_CLASS_EXT'
    'PAHOLE_.*' 'CC_VERSION_TEXT' '[A-Z]*_VERSION' 'RUSTC_.*' 'LOCALVERSION' 'BUILD_SALT'
)

# choose_flavour: sets $flavour, and $folder, where its tree and objects stay.
choose_flavour() {
    flavour=${FLAVOUR:-amd64}
    case $flavour in
        amd64 | cloud-amd64) ;;
        *) fail "FLAVOUR=$flavour is not one of Debian's that are built here: amd64 (machines) or cloud-amd64 (virtual machines)." ;;
    esac
    folder=$packages_cache/$flavour
}

# megabytes_needed FLAVOUR: for source, objects and packages.
megabytes_needed() {
    case $1 in
        amd64) echo 16000 ;;
        cloud-amd64) echo 5000 ;;
    esac
}

x86_make() { kernel_make -C "$folder/linux" ARCH=x86 LOCALVERSION= "$@"; }

# prepare_tree VERSION: $folder/linux is the source with the series and the
# configuration. Call with the lock held.
prepare_tree() {
    local least=0
    [ "$(cat "$folder/basis" 2>/dev/null)" = "$(basis "$1")" ] || least=$(megabytes_needed "$flavour")
    work_folder "$folder" "$((least + 500))"
    [ "$least" = 0 ] || unpack_tree "$1"
    apply_series
    configure_tree "$1"
}

# Objects of another source or compiler are of no use.
basis() {
    echo "$source_package $1"
    echo "without: ${unneeded[*]}"
    gcc --version | head -n 1
    ld --version | head -n 1
}

unpack_tree() {
    local archive
    rm -rf "${folder:?}"/{basis,linux,originals,added,debian-config}
    progress "kernel: fetching $source_package $1 (150 MB)"
    archive=$(source_archive "$1" "$work")
    progress "kernel: unpacking"
    mkdir "$folder/linux" "$folder/originals"
    tar -xJf "$archive" -C "$folder/linux" --strip-components=1 "${unneeded[@]/#/--exclude=}"
    date -u +%s -r "$archive" >"$folder/date"
    basis "$1" >"$folder/basis"
}

# A touched file's original is kept from before its first change, in
# $folder/originals; the list of files that only the series has, in
# $folder/added.
apply_series() {
    local file patched=$work/patched
    while read -r file; do
        keep_original "$file"
    done < <(touched_files "$patches"/*.patch)
    rm -rf "$patched"
    cp -r "$folder/originals" "$patched"
    apply_patches "$patched"
    find "$patched" -name '*.orig' -delete
    list_files "$folder/originals" >"$work/known"
    list_files "$patched" >"$work/wanted"
    comm -13 "$work/known" "$work/wanted" >"$work/added"
    # What an earlier series added and this one lacks.
    touch "$folder/added"
    while read -r file; do
        rm -f "$folder/linux/$file"
    done < <(comm -23 "$folder/added" "$work/added")
    sort -u -o "$folder/added" "$folder/added" "$work/added"
    while read -r file; do
        replace_if_different "$patched/$file" "$folder/linux/$file"
    done <"$work/wanted"
    cp "$work/added" "$folder/added"
}

list_files() { (cd "$1" && find . -type f -printf '%P\n' | LC_ALL=C sort); }

keep_original() {
    [ ! -f "$folder/originals/$1" ] && [ -f "$folder/linux/$1" ] || return 0
    mkdir -p "$(dirname "$folder/originals/$1")"
    cp -p "$folder/linux/$1" "$work/original"
    mv "$work/original" "$folder/originals/$1"
}

replace_if_different() {
    cmp -s "$1" "$2" && return
    mkdir -p "$(dirname "$2")"
    cp --remove-destination "$1" "$2"
}

# debian_config VERSION: path of Debian's configuration for the flavour.
debian_config() {
    local kept=$folder/debian-config
    if [ ! -f "$kept" ]; then
        fetch_package "$config_package" "$1" "$work"
        xz -dc "$work/$config_package/usr/src/$config_package/config.amd64_none_$flavour.xz" >"$work/debian-config"
        mv "$work/debian-config" "$kept"
    fi
    echo "$kept"
}

configure_tree() {
    local base
    base=$(debian_config "$1")
    progress "kernel: configuring as Debian's $flavour"
    { cat "$physical/config" && echo "CONFIG_LOCALVERSION=\"-thinlab-$flavour\""; } >"$work/ours"
    (cd "$folder/linux" && KCONFIG_CONFIG=$work/config scripts/kconfig/merge_config.sh -m -Q \
        "$base" "$work/ours") >"$work/merge.log" ||
        fail "the configuration cannot be merged: $(cat "$work/merge.log")"
    cp "$work/config" "$folder/linux/.config"
    x86_make -s olddefconfig >&2
    check_configuration "$base" "$folder/linux/.config"
}

# check_configuration DEBIAN OURS: what is set in Debian's is set the same in
# ours, but for what we change and what follows from that.
check_configuration() {
    local expected changed lost
    changed=$(sed -nE 's/^(# )?CONFIG_(\w+)[= ].*/\2/p' "$physical/config")
    expected=$(printf '%s\n' "${following[@]}" "$changed" | paste -sd '|')
    lost=$(LC_ALL=C comm -3 <(settings "$1" "$expected") <(settings "$2" "$expected"))
    [ -z "$lost" ] || fail "the configuration is not Debian's $flavour any more (left: Debian's, right: ours):
$lost"
}

# settings FILE EXCEPT: one a line, sorted; what is not set does not count.
settings() {
    sed -n 's/^CONFIG_//p' "$1" | grep -vE "^($2)=" | LC_ALL=C sort
}
