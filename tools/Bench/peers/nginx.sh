#!/usr/bin/env bash
# nginx.sh start DIR: an nginx of its own in DIR, on a free port of loopback, that answers everything with the bytes of
# DIR/body; prints the port and the process. If DIR/server.crt and DIR/server.key are there, it does so over TLS 1.3,
# asks for a client certificate, takes any and resumes no session. nginx.sh stop DIR: stops it. Installs Debian's package
# if it is not there (needs root for that alone).
set -euo pipefail
verb="${1:?start or stop}"; directory="${2:?a folder}"
export PATH="$PATH:/usr/sbin"
if ! command -v nginx >/dev/null; then
    # The package would start a server of its own at once: a policy that forbids it, for this installation alone.
    { apt-get update -qq && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nginx-light; } >&2 \
        || { echo "nginx is not installed and could not be: apt-get install nginx-light" >&2; exit 3; }
fi
case "$verb" in
    start)
        port=$((20000 + RANDOM % 20000))
        tls="" ssl=""
        if [ -e "$directory/server.crt" ]; then
            ssl=" ssl"
            tls="ssl_certificate $directory/server.crt; ssl_certificate_key $directory/server.key;
        ssl_protocols TLSv1.3; ssl_session_cache off; ssl_session_tickets off; ssl_verify_client optional_no_ca;"
        fi
        cat >"$directory/nginx.conf" <<CONF
worker_processes 2;
pid $directory/nginx.pid;
error_log $directory/error.log;
events { worker_connections 1024; }
http {
    access_log off;
    server_tokens off;
    keepalive_requests 1000000000;
    client_body_temp_path $directory; proxy_temp_path $directory; fastcgi_temp_path $directory;
    uwsgi_temp_path $directory; scgi_temp_path $directory;
    server {
        listen 127.0.0.1:$port$ssl;
        $tls
        location / { default_type "application/json; charset=utf-8"; return 200 '$(cat "$directory/body")'; }
    }
}
CONF
        nginx -p "$directory" -c "$directory/nginx.conf" >/dev/null 2>&1 </dev/null
        for _ in $(seq 50); do
            [ -s "$directory/nginx.pid" ] && { echo "$port $(cat "$directory/nginx.pid")"; exit 0; }
            sleep 0.1
        done
        echo "nginx does not start" >&2; exit 1 ;;
    stop) kill "$(cat "$directory/nginx.pid")" ;;
    *) echo "start or stop" >&2; exit 2 ;;
esac
