"""What every program gets: where to sign in, and how; and how it prints what it saw."""

import hashlib
import json
import os
import sys

HOST = "127.0.0.1"
PORT = int(os.environ["WAY_PORT"])
USER = os.environ["WAY_USER"]
# One of both: directly a key, through the gateway a password.
PASSWORD = os.environ.get("WAY_PASSWORD")
KEY_FILE = os.environ.get("WAY_KEY_FILE")
KNOWN_HOSTS = os.environ["WAY_KNOWN_HOSTS"]
# A port of this machine, which sends back what it gets when that has ended.
ECHO_PORT = int(os.environ["WAY_ECHO_PORT"])
CHANNELS = int(os.environ["WAY_CHANNELS"])
# A folder on the server, and one here.
REMOTE = os.environ["WAY_REMOTE"]
LOCAL = os.environ["WAY_LOCAL"]

CONTENT = bytes(range(256)) * 4_000


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def write(name, content):
    path = os.path.join(LOCAL, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


def read(name):
    with open(os.path.join(LOCAL, name), "rb") as file:
        return file.read()


def tell(versions, seen):
    json.dump({"versions": versions, "seen": seen}, sys.stdout)
    print()
