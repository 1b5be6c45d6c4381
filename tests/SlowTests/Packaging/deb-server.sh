# Read by the scripts that run in a bare Debian, as root: starts the server there as its unit does, and stops it.
# They have set url.
fail() {
    echo "FAILED: $*"
    exit 1
}

# As the unit starts it: its user, its folders, a root that is read-only but for them. The settings come from /etc/raven.
start() {
    unshare --mount --propagation unchanged bash -c '
        for folder in /var/lib/raven /var/lib/raven-keys $([ ! -d /backup ] || echo /backup); do
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
