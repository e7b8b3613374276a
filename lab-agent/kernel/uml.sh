# The embedded host's kernel from a source: what `build` and `build-newer`
# share. Sourced after source.sh or newer.sh, whose package and patches it
# takes; whoever sources it says the rest:
#
# configs             files with wanted symbols; where two set one, the later
#                     wins, and `n` is none
# needed_megabytes    of disk while it builds
# download_megabytes  of the source's package
# expected_objects    for the progress line only: source files compiled with
#                     today's configs
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154 # set by whoever sources this
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/compile.sh"

# Not unpacked, because UML compiles none of it: more than half of the space.
unused=(
    '*/arch/[!ux]*/*.[chS]' '*/drivers/gpu/*.[ch]' '*/drivers/net/ethernet/*.[ch]'
    '*/drivers/net/wireless/*.[ch]' '*/drivers/media/*.[ch]' '*/sound/*.[ch]'
    '*/Documentation/devicetree' '*/tools/testing' '*/tools/perf'
)

# kernel_of VERSION: prints the executable's path, built or from the cache.
kernel_of() {
    local artifact
    artifact=$THINLAB_CACHE/kernel/$(content_key "$1")/linux
    if [ ! -f "$artifact" ]; then
        require_tools "$patches/../prerequisites" make flex bison bc patch xz perl flock libc.a
        lock_folder "$THINLAB_CACHE/kernel"
        [ -f "$artifact" ] || build_kernel "$1" "$(dirname "$artifact")"
    fi
    echo "$artifact"
}

# Everything the result depends on: source, patches (what they change, not
# what they say), configs, recipe, compiler.
content_key() {
    require_tools "$patches/../prerequisites" gcc
    {
        echo "$source_package $1"
        gcc --version | head -n 1
        ld --version | head -n 1
        cat "${configs[@]}" "${BASH_SOURCE[0]}" "$0"
        sed -s '1,/^---$/d' "$patches"/*.patch
    } | sha256sum | cut -c1-16
}

# build_kernel VERSION FOLDER: FOLDER appears at the end, complete.
build_kernel() {
    local archive tree
    work_folder "$THINLAB_CACHE/kernel" "$needed_megabytes"
    progress "kernel: fetching $source_package $1 ($download_megabytes MB)"
    archive=$(source_archive "$1" "$work")
    progress "kernel: unpacking"
    tree=$work/tree
    mkdir "$tree"
    tar -xJf "$archive" -C "$tree" --strip-components=1 "${unused[@]/#/--exclude=}"
    keep_originals "$1" "$tree" "$work"
    apply_patches "$tree"
    configure "$tree"
    compile "$tree" "$(date -u -R -r "$archive")"
    install_result "$tree" "$1" "$work/done"
    rm -rf "$2"
    mv "$work/done" "$2"
}

configure() {
    local line wanted=$1/wanted.config
    wanted_symbols >"$wanted"
    KCONFIG_ALLCONFIG=$wanted kernel_make -s ARCH=um -C "$1" allnoconfig >&2
    while read -r line; do
        grep -qxF -- "$line" "$1/.config" || fail "Kconfig dropped $line of ${configs[*]}."
    done <"$wanted"
}

# One line for each symbol in the configs.
wanted_symbols() {
    cat "${configs[@]}" |
        awk -F= '/^CONFIG_/ { value[$1] = $0 } END { for (name in value) if (value[name] !~ /=n$/) print value[name] }'
}

# compile TREE DATE: dated by the source, so that equal inputs give equal bytes.
compile() {
    logged_make "$THINLAB_CACHE/kernel/$(basename "$0").log" "$expected_objects" -C "$1" -j"$(nproc)" ARCH=um \
        KBUILD_BUILD_TIMESTAMP="$2" KBUILD_BUILD_USER=thinlab KBUILD_BUILD_HOST=thinlab linux
}

# install_result TREE VERSION FOLDER
install_result() {
    mkdir "$3"
    strip -o "$3/linux" "$1/linux"
    cp "$1/.config" "$3/config"
    {
        echo "source: $source_package $2"
        echo "release: $("$3/linux" --version)"
        echo "compiler: $(gcc --version | head -n 1)"
        cd "$patches" && sha256sum -- *.patch | sed 's/^/patch: /'
    } >"$3/version"
}
