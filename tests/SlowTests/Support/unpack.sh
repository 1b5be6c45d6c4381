#!/usr/bin/env bash
# unpack.sh DIR PACKAGE...: Debian packages and the libraries that they need, unpacked in DIR and not installed: nothing
# of the machine changes, and nothing needs root if apt knows its packages. DIR/done is there when all of it is.
set -euo pipefail
directory="${1:?a folder}"; shift
[ -e "$directory/done" ] && exit 0
command -v apt-get >/dev/null && command -v dpkg >/dev/null || { echo "this is not Debian" >&2; exit 3; }
mkdir -p "$directory"
cd "$directory"
libraries() {
    apt-cache depends --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances "$@" \
        | awk '/Depends: lib/ && $2 !~ /^libc6/ {print $2}'
}
find_all() { local near; near=$(libraries "$@"); echo "$@" $near $(libraries $near) | tr ' ' '\n' | sort -u; }
{ apt-get download $(find_all "$@") || { apt-get update -qq && apt-get download $(find_all "$@"); }; } >apt.log 2>&1 \
    || { echo "apt-get download $*: $(tail -n 1 apt.log)" >&2; exit 3; }
for package in ./*.deb; do dpkg -x "$package" root; done
rm -f ./*.deb
touch done
