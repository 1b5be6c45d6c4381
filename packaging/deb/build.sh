#!/usr/bin/env bash
# The .deb of the server: one file of the program that brings its runtime, the unit, the folders and the user.
#   packaging/deb/build.sh [--app DIR] [--version V] [--out DIR] [--compression xz]
# Without --app it publishes the program first. Needs dpkg-deb; nothing of it needs root.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
here="$root/packaging/deb"
# Whoever publishes packages says who keeps them.
maintainer="${RAVEN_DEB_MAINTAINER:-The Raven authors <raven@localhost>}"
app="" out="$root/artifacts/deb" compression=xz
version="$(sed -n 's:.*<Version>\(.*\)</Version>.*:\1:p' "$root/Directory.Build.props")"
while [ $# -gt 0 ]; do
    case "$1" in
        --app) app="$2" ;;
        --version) version="$2" ;;
        --out) out="$2" ;;
        --compression) compression="$2" ;;
        *) echo "unknown: $1" >&2; exit 2 ;;
    esac
    shift 2
done
arch="$(dpkg --print-architecture)"
case "$arch" in
    amd64) rid=linux-x64 ;;
    arm64) rid=linux-arm64 ;;
    *) echo "There is no build for $arch." >&2; exit 1 ;;
esac
mkdir -p "$out"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
if [ -z "$app" ]; then
    app="$work/app"
    dotnet publish "$root/src/CommandLine" --nologo -v quiet -c Release -p:PublishProfile=folder -r "$rid" \
        -p:SelfContained=true -p:PublishSingleFile=true -p:DebugType=none -o "$app"
fi

# The same sources give the same bytes: times are those of the last commit, or of the day where there is none.
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date -d "$(date +%F)" +%s)}"
export SOURCE_DATE_EPOCH
pkg="$work/raven"
doc="$pkg/usr/share/doc/raven"
install -d -m 0755 "$pkg/DEBIAN" "$pkg/usr/lib/raven" "$pkg/usr/bin" "$pkg/usr/lib/systemd/system" \
    "$pkg/usr/lib/sysusers.d" "$pkg/usr/share/man/man1" "$pkg/usr/share/lintian/overrides" "$doc" "$pkg/etc/raven"
# Everything that was published: beside the program there may be native libraries.
for file in "$app"/*; do
    [ -f "$file" ] || continue
    case "$file" in
        */raven) install -m 0755 "$file" "$pkg/usr/lib/raven/raven" ;;
        *.pdb | *.xml) ;;
        *) install -m 0644 "$file" "$pkg/usr/lib/raven/" ;;
    esac
done
ln -s ../lib/raven/raven "$pkg/usr/bin/raven"
# The unit of the folder, with the places of the package: settings are read from the folder that it starts in.
sed -e 's:/opt/raven/raven:/usr/lib/raven/raven:' -e 's:^WorkingDirectory=.*:WorkingDirectory=/etc/raven:' \
    "$root/packaging/raven.service" >"$pkg/usr/lib/systemd/system/raven.service"
install -m 0644 "$here/raven.sysusers" "$pkg/usr/lib/sysusers.d/raven.conf"
install -m 0640 "$here/settings.json" "$pkg/etc/raven/settings.json"
install -m 0644 "$here/raven.lintian-overrides" "$pkg/usr/share/lintian/overrides/raven"
install -m 0644 "$root/docs/operations.md" "$root/THIRD-PARTY-NOTICES" "$doc/"
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n'
    printf 'Upstream-Name: Raven\n\nFiles: *\nCopyright: 2026 The Raven authors\nLicense: Expat\n'
    sed -e '1,/^Permission/{/^Permission/!d}' -e 's/^$/./' -e 's/^/ /' "$root/LICENSE"
    printf 'Comment: What others wrote, and under which terms, is in /usr/share/doc/raven/THIRD-PARTY-NOTICES.\n'
} >"$doc/copyright"
printf 'raven (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md of the sources.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.gz"
gzip -9nc "$here/raven.1" >"$pkg/usr/share/man/man1/raven.1.gz"
for script in postinst prerm postrm; do
    install -m 0755 "$here/$script" "$pkg/DEBIAN/$script"
done
printf '/etc/raven/settings.json\n' >"$pkg/DEBIAN/conffiles"
size="$(du -sk --apparent-size "$pkg" | cut -f1)"
sed -e "s/@VERSION@/$version/" -e "s/@ARCH@/$arch/" -e "s/@SIZE@/$size/" -e "s|@MAINTAINER@|$maintainer|" "$here/control" >"$pkg/DEBIAN/control"
(cd "$pkg" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
chmod 0644 "$pkg/DEBIAN/control" "$pkg/DEBIAN/conffiles" "$pkg/DEBIAN/md5sums"
find "$pkg" -type d -exec chmod 0755 {} +
dpkg-deb --root-owner-group -Z"$compression" --build "$pkg" "$out/raven_${version}_$arch.deb" >&2
echo "$out/raven_${version}_$arch.deb"
