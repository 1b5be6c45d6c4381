#!/bin/bash
# The life of the package in a bare Debian: runs there as root, whose / is a mount of its own, with the port of the server.
# Says "all of it" at the end.
set -euo pipefail
port="$1"
url="http://127.0.0.1:$port"
mount -t proc proc /proc
fail() {
    echo "FAILED: $*"
    exit 1
}

# As the unit starts it: its user, its folders, a root that is read-only but for them. The settings come from /etc/raven.
start() {
    unshare --mount --propagation unchanged bash -c '
        for folder in /var/lib/raven /var/lib/raven-keys; do
            mount --bind "$folder" "$folder"
        done
        mount -t tmpfs tmpfs /tmp
        mount -o remount,bind,ro /
        touch /etc/raven/x 2>/dev/null && exit 9
        cd /etc/raven && exec setpriv --reuid raven --regid raven --clear-groups --no-new-privs \
            env RAVEN_DataDir=/var/lib/raven RAVEN_Security_KeysFolder=/var/lib/raven-keys RAVEN_ServerUrl="$0" \
            RAVEN_Indexing_CSharp=All /usr/bin/raven server' "$url" >/var/tmp/out 2>/var/tmp/err &
    server=$!
    for _ in $(seq 1 300); do
        curl --silent --fail --output /dev/null "$url/healthz" && return
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    cat /var/tmp/out /var/tmp/err
    fail "the server does not start"
}
stop() {
    pkill -TERM -P $$ -x raven 2>/dev/null || kill -TERM "$server"
    wait "$server" || fail "the server ends with $?"
}

dpkg --install /tmp/first.deb
[ "$(stat -c '%U %a' /var/lib/raven /var/lib/raven-keys | sort -u)" = "raven 700" ] || fail "the folders of the data"
[ "$(stat -c '%U:%G %a' /etc/raven/settings.json)" = "root:raven 640" ] || fail "the settings"
[ "$(getent passwd raven | cut -d: -f7)" = /usr/sbin/nologin ] || fail "the user"
raven --version
start
curl --silent --show-error --fail -X PUT "$url/admin/databases?name=shop" -d '{"DatabaseName":"shop"}' >/dev/null
curl --silent --show-error --fail -X PUT "$url/databases/shop/docs?id=a" \
    -d '{"N":"Chai","@metadata":{"@collection":"Os"}}' >/dev/null
curl --silent --show-error --fail -X PUT "$url/databases/shop/admin/indexes" \
    -d '{"Indexes":[{"Name":"A","Maps":["from o in docs.Os select new { L = o.N.Length }"]}]}' >/dev/null
curl --silent --show-error --fail "$url/databases/shop/queries" \
    -d "{\"Query\":\"from index 'A' where L = 4\",\"WaitForNonStaleResults\":true}" | grep -q '"TotalResults":1' \
    || fail "an index in C#"
(cd /etc/raven && setpriv --reuid raven --regid raven --clear-groups raven health --DataDir=/var/lib/raven) || fail "health"
stop
echo "installed, and served from a read-only root"

# An upgrade keeps what the administrator wrote, and the data.
echo '{"ServerUrl":"http://127.0.0.1:8080","Logs.Level":"Warning"}' >/etc/raven/settings.json
dpkg --install /tmp/second.deb
grep -q Warning /etc/raven/settings.json || fail "the settings were replaced"
[ "$(stat -c '%U:%G %a' /etc/raven/settings.json)" = "root:raven 640" ] || fail "the settings after the upgrade"
start
curl --silent --show-error --fail "$url/databases/shop/docs?id=a" | grep -q Chai || fail "the data after the upgrade"
stop
echo "upgraded"

dpkg --remove raven
[ ! -e /usr/bin/raven ] && [ -e /etc/raven/settings.json ] && [ -e /var/lib/raven/shop ] || fail "what a removal leaves"
dpkg --purge raven 2>&1 | tee /var/tmp/purge
grep -q "kept in /var/lib/raven" /var/tmp/purge || fail "a purge that does not say where the data is"
[ ! -e /etc/raven/settings.json ] && [ -e /var/lib/raven/shop/data.voron ] || fail "what a purge leaves"
echo "removed and purged; the data is there"

dpkg --install /tmp/second.deb
start
curl --silent --show-error --fail "$url/databases/shop/docs?id=a" | grep -q Chai || fail "the data of before"
stop
echo "all of it"
