#!/bin/bash
# The drill of docs/operations.md in a bare Debian: a machine makes backups and is lost, an empty one restores them by the
# commands of the page, which are in /tmp/drill. Runs there as root, with the port of the server. Says "restored" at the end.
set -euo pipefail
port="$1"
url="http://127.0.0.1:$port"
mount -t proc proc /proc 2>/dev/null || true
. /tmp/server.sh
request() {
    curl --silent --show-error --fail "$@"
}
ended() { # waits for the operation of an answer
    local id state
    id="$(grep -o '"OperationId":[0-9]*' <<<"$1" | cut -d: -f2)"
    for _ in $(seq 1 300); do
        state="$(request "$url/operations/state?id=$id")"
        case "$state" in
            *'"Status":"Completed"'*) return ;;
            *'"Status":"InProgress"'*) sleep 0.1 ;;
            *) fail "$state" ;;
        esac
    done
    fail "operation $id does not end"
}
seen() { # what a restored database must have in common with the one that was lost
    request "$url/databases/shop/streams/docs"
    echo
    request "$url/databases/shop/queries" \
        -d '{"Query":"from index '"'Names'"' where N = 7","WaitForNonStaleResults":true}' | grep -o '"TotalResults":[0-9]*'
    request "$url/databases/shop/revisions/config"
    echo
    request "$url/databases/shop/revisions?id=products/7" | grep -o '"TotalResults":[0-9]*'
    request "$url/databases/shop/stats" | grep -oE '"(CountOf[A-Za-z]*|LastDocEtag)":[0-9]*' | sort
}

# The machine that is going to be lost.
rm -rf /var/lib/raven /var/lib/raven-keys /backup
install -d -m 0777 /backup
dpkg --install /tmp/second.deb >/dev/null
echo '{"ServerUrl":"http://127.0.0.1:8080","Backup.LocalRootPath":"/backup"}' >/etc/raven/settings.json
start
request -X PUT "$url/admin/databases?name=shop" -d '{"DatabaseName":"shop"}' >/dev/null
request -X POST "$url/databases/shop/admin/revisions/config" -d '{"Default":{"MinimumRevisionsToKeep":3}}' >/dev/null
request -X PUT "$url/databases/shop/indexes" \
    -d '{"Indexes":[{"Name":"Names","Maps":["map('"'Products'"', p => ({ N: p.N }))"]}]}' >/dev/null
write() {
    for number in $(seq "$1" "$2"); do
        request -X PUT "$url/databases/shop/docs?id=products/$number" \
            -d '{"N":'"$number"',"Name":"Product '"$number"'","@metadata":{"@collection":"Products"}}' >/dev/null
    done
}
write 1 40
request -X POST "$url/databases/shop/admin/periodic-backup" \
    -d '{"Name":"nightly","FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"/backup/shop"}}' >/dev/null
ended "$(request -X POST "$url/databases/shop/admin/backup/database?isFullBackup=true&taskId=1")"
write 7 60
ended "$(request -X POST "$url/databases/shop/admin/backup/database?isFullBackup=false&taskId=1")"
seen >/var/tmp/lost
stop
dpkg --purge raven >/dev/null 2>&1
rm -rf /var/lib/raven /var/lib/raven-keys
[ ! -e /usr/bin/raven ] && [ ! -e /etc/raven/settings.json ] || fail "the machine is not empty"
echo "lost: $(wc -l </var/tmp/lost) lines to compare"

# The empty one, by the commands of the page.
folder="$(ls /backup/shop)"
sed -e "s#http://127.0.0.1:8080#$url#; s#2026-11-27-01-00-00.ravendb-shop-A-backup#$folder#g" \
    -e "s#apt install .*#dpkg --install /tmp/second.deb >/dev/null#; s#systemctl restart raven#start#" /tmp/drill \
    >/var/tmp/commands
. /var/tmp/commands >/var/tmp/printed
cat /var/tmp/printed
grep -q "60 documents, up to change" /var/tmp/printed || fail "the restore did not print what it has restored"
grep -q '"CountOfDocuments":60' /var/tmp/printed || fail "the figures of the restored database"
seen >/var/tmp/restored
diff /var/tmp/lost /var/tmp/restored || fail "the restored database is another one"
request "$url/databases/shop/task?key=1&type=Backup" | grep -q '"TaskState":"Disabled"' || fail "its task runs"
stop
dpkg --purge raven >/dev/null 2>&1
echo "restored"
