"""A server of S3 that checks signatures: OpenStack's Swift with its middleware s3api, as Debian packages it.

s3_by_swift.py FOLDER KEY SECRET EVERY starts one on a free port of this machine, with the bucket "backups",
and prints the port. All its parts (proxy, accounts, containers, objects) are in this process; it ends with its
standard input. One replica, no locks between machines, objects in memory: it is here to judge requests, not to
keep anything. Of EVERY requests one is refused with SlowDown; of 0 none is.
"""
import array
import os
import socket
import sys

import eventlet
eventlet.monkey_patch(all=False, socket=True, select=True, thread=True)

from eventlet import listen, spawn, wsgi  # noqa: E402
from swift.account import server as account_server  # noqa: E402
from swift.common import utils  # noqa: E402
from swift.common.ring import RingData  # noqa: E402
from swift.common.storage_policy import POLICIES, StoragePolicy, StoragePolicyCollection  # noqa: E402
from swift.common import storage_policy  # noqa: E402
from swift.common.swob import Request  # noqa: E402
from swift.common.wsgi import loadapp  # noqa: E402
from swift.container import server as container_server  # noqa: E402
from swift.obj import mem_server  # noqa: E402

PROXY = """
[DEFAULT]
swift_dir = {folder}
log_level = ERROR

[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats s3api tempauth bulk slo proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true

[filter:catch_errors]
use = egg:swift#catch_errors

[filter:gatekeeper]
use = egg:swift#gatekeeper

[filter:listing_formats]
use = egg:swift#listing_formats

[filter:s3api]
use = egg:swift#s3api
location = eu-central-1
s3_acl = false
min_segment_size = 65536
allowable_clock_skew = 900

[filter:tempauth]
use = egg:swift#tempauth
user_raven_{user} = {secret} .admin

[filter:bulk]
use = egg:swift#bulk

[filter:slo]
use = egg:swift#slo
min_segment_size = 1
"""


SLOW_DOWN = (b"<?xml version='1.0' encoding='UTF-8'?>\n<Error><Code>SlowDown</Code>"
             b"<Message>Please reduce your request rate.</Message></Error>")


class Cache:
    """What memcached would be there for."""

    def __init__(self):
        self.values = {}

    def get(self, key, raise_on_error=False):
        return self.values.get(key)

    def set(self, key, value, serialize=True, time=0, min_compress_len=0, raise_on_error=False):
        self.values[key] = value

    def delete(self, key, server_key=None):
        self.values.pop(key, None)

    def incr(self, key, delta=1, time=0):
        self.values[key] = self.values.get(key, 0) + delta
        return self.values[key]


def port_of(server_socket):
    return server_socket.getsockname()[1]


def main():
    folder, key, secret, every = sys.argv[1:5]
    every = int(every)
    user = key.split(":")[1]
    utils.HASH_PATH_SUFFIX = b"raven"
    utils.HASH_PATH_PREFIX = b""
    storage_policy._POLICIES = StoragePolicyCollection([StoragePolicy(0, "default", True)])
    devices = os.path.join(folder, "devices")
    os.makedirs(os.path.join(devices, "d"))
    conf = {"devices": devices, "swift_dir": folder, "mount_check": "false", "log_level": "ERROR",
            "fallocate_reserve": "0", "disable_fallocate": "true"}
    servers = [
        ("account", account_server.AccountController(conf)),
        ("container", container_server.ContainerController(conf)),
        ("object", mem_server.ObjectController(conf)),
    ]
    quiet = open(os.devnull, "w")
    for name, application in servers:
        bound = listen(("127.0.0.1", 0))
        spawn(wsgi.server, bound, application, quiet)
        device = {"id": 0, "region": 1, "zone": 1, "weight": 1.0, "ip": "127.0.0.1", "port": port_of(bound),
                  "replication_ip": "127.0.0.1", "replication_port": port_of(bound), "device": "d", "meta": ""}
        RingData([array.array("H", [0, 0, 0, 0])], [device], 30).save(os.path.join(folder, name + ".ring.gz"))
    path = os.path.join(folder, "proxy.conf")
    with open(path, "w") as file:
        file.write(PROXY.format(folder=folder, user=user, secret=secret))
    application = loadapp(path, global_conf={"log_name": "proxy"})
    cache = Cache()
    requests = 0

    def proxy(env, start_response):
        nonlocal requests
        requests += 1
        if every and requests % every == 0:
            # What is left of its body goes with the connection.
            start_response("503 Slow Down", [
                ("Content-Type", "application/xml"), ("Content-Length", str(len(SLOW_DOWN))), ("Connection", "close")])
            return [SLOW_DOWN]
        env["swift.cache"] = cache
        return application(env, start_response)

    bound = listen(("127.0.0.1", 0))
    spawn(wsgi.server, bound, proxy, quiet)
    for target in ("/v1/AUTH_raven", "/v1/AUTH_raven/backups"):
        request = Request.blank(target, method="PUT")
        request.environ["swift.cache"] = cache
        request.environ["swift.authorize_override"] = True
        request.environ["swift.authorize"] = lambda ignored: None
        answer = request.get_response(application)
        if answer.status_int // 100 != 2 and answer.status_int != 202:
            sys.exit("%s: %s %s" % (target, answer.status, answer.body))
    print(port_of(bound), flush=True)
    while eventlet.tpool.execute(sys.stdin.readline):
        pass


if __name__ == "__main__":
    main()
