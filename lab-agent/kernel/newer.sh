# The newer kernel that the series is carried to as well: its source, its
# patches and the functions of source.sh for it. Nothing here changes what
# `build` makes or its key. Sourced.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/source.sh"

# Debian's linux-source-7.2, of forky. A later version is a change here: its
# file's checksums, as the signed list of packages has them.
source_package=linux-source-7.2
# shellcheck disable=SC2034 # for those who source this
newer_version=7.2.12-1
newer_sha256=6ea01e48037651b01076e4a369d1c76051c97c3cce6f87d48b7f3a9f5fac46a8
newer_sha1=9198b3b59d8d3a6336e7f3d2a6b9a5ee1559b44b
patches=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/patches-7.2

# fetch_package PACKAGE VERSION FOLDER: as in cache.sh. The archives of this
# machine's Debian do not have the package, so it comes by its address; once a
# later version has taken its place there, from Debian's archive of all files.
# Where neither has it, nothing is wrong with the series: 75, which checks take
# for what cannot be looked at.
fetch_package() {
    local url file=$3/$1.deb
    for url in "https://deb.debian.org/debian/pool/main/l/linux/$1_$2_all.deb" \
        "https://snapshot.debian.org/file/$newer_sha1"; do
        rm -f "$file"
        if /usr/lib/apt/apt-helper download-file "$url" "$file" "SHA256:$newer_sha256" >"$3/download.log" 2>&1; then
            dpkg-deb -x "$file" "$3/$1"
            rm "$file"
            return
        fi
        cat "$3/download.log" >&2
    done
    echo "error: the Debian package $1 $2 cannot be fetched." >&2
    exit 75
}
