# How the guest's archives are written: cpio's "newc" format, the same bytes
# everywhere. Sourced.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

inode=0

# entry NAME MODE [CONTENT] [FILE]: one member on stdout, owned by root, dated
# 0. CONTENT is the text or the link's target.
entry() {
    local name=$1 mode=$(($2)) content=${3-} file=${4-} size
    size=${#content}
    [ -z "$file" ] || size=$(stat -c %s "$file")
    [ "$name" = 'TRAILER!!!' ] || inode=$((inode + 1))
    printf '070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X' \
        "$inode" "$mode" 0 0 1 0 "$size" 0 0 0 0 $((${#name} + 1)) 0
    printf '%s\0' "$name"
    pad $((110 + ${#name} + 1))
    if [ -n "$file" ]; then cat "$file"; else printf '%s' "$content"; fi
    pad "$size"
}

# The archive's last member.
end_of_archive() {
    inode=0
    entry 'TRAILER!!!' 0
}

# pad LENGTH: what is missing from LENGTH to a multiple of four.
pad() {
    local zeros='\0\0\0'
    printf '%b' "${zeros:0:2*((4 - $1 % 4) % 4)}"
}
