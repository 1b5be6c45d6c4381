#!/bin/bash
# The life of the package in a bare Debian: runs there as root, whose / is a mount of its own, with the port of the server.
# Says "all of it" at the end.
set -euo pipefail
port="$1"
url="http://127.0.0.1:$port"
mount -t proc proc /proc
. /tmp/server.sh

# Whatever the caller lets others do with new files, nobody else reads what is installed for the server.
(umask 0 && dpkg --install /tmp/first.deb)
[ "$(stat -c '%U %a' /var/lib/raven /var/lib/raven-keys | sort -u)" = "raven 700" ] || fail "the folders of the data"
[ "$(stat -c '%U:%G %a' /etc/raven/settings.json)" = "root:raven 640" ] || fail "the settings"
[ "$(getent passwd raven | cut -d: -f7)" = /usr/sbin/nologin ] || fail "the user"
[ "$(dpkg-query --show --showformat='${Conffiles}' raven | awk 'NF {print $1}')" = /etc/raven/settings.json ] \
    || fail "the settings are not asked about"
raven --version

# As shipped, without a word of configuration: nothing but loopback can reach it, and nothing else listens.
unshare --net bash -c '
    ip link set lo up
    (cd /etc/raven && exec setpriv --reuid raven --regid raven --clear-groups --no-new-privs \
        env RAVEN_DataDir=/var/lib/raven RAVEN_Security_KeysFolder=/var/lib/raven-keys \
        /usr/bin/raven server) >/var/tmp/out 2>/var/tmp/err &
    server=$!
    for _ in $(seq 1 300); do
        curl --silent --fail --output /dev/null http://127.0.0.1:8080/healthz && break
        sleep 0.1
    done
    awk "FNR > 1 && \$4 == \"0A\" { print \$2 }" /proc/net/tcp /proc/net/tcp6 >/var/tmp/listens
    kill -TERM $server && wait $server' || fail "the server as shipped"
[ "$(cat /var/tmp/listens)" = "0100007F:1F90" ] || fail "it listens at $(cat /var/tmp/listens)"
echo "as shipped it listens on loopback alone"
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

# The version before reads the data of this one: no format has changed between them.
dpkg --install /tmp/first.deb
grep -q Warning /etc/raven/settings.json || fail "the settings after the downgrade"
start
curl --silent --show-error --fail "$url/databases/shop/docs?id=a" | grep -q Chai || fail "the data after the downgrade"
stop
dpkg --install /tmp/second.deb
echo "downgraded and upgraded again"

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
dpkg --purge raven >/dev/null 2>&1
echo "installed again, with the data of before"

# A person who is called raven already stays who that was, and the modes are the same.
userdel raven
groupdel raven 2>/dev/null || true
useradd --create-home --shell /bin/bash raven
chown -R raven:raven /var/lib/raven /var/lib/raven-keys
(umask 0 && dpkg --install /tmp/second.deb)
[ "$(getent passwd raven | cut -d: -f6,7)" = "/home/raven:/bin/bash" ] || fail "the person was changed"
[ "$(stat -c '%U %a' /var/lib/raven /var/lib/raven-keys | sort -u)" = "raven 700" ] || fail "the folders of the person"
[ "$(stat -c '%U:%G %a' /etc/raven/settings.json)" = "root:raven 640" ] || fail "the settings beside the person"
start
curl --silent --show-error --fail "$url/databases/shop/docs?id=a" | grep -q Chai || fail "the data of the person"
stop
dpkg --purge raven >/dev/null 2>&1
echo "all of it"
