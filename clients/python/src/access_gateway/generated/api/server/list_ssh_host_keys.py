from typing import Any

from ....calls import Request
from ...models.ssh_host_keys_view import SshHostKeysView


def request() -> Request:
    return Request(
        "GET",
        "/ssh-host-keys",
    )


def read(answer: Any) -> SshHostKeysView:
    response_200 = SshHostKeysView.from_dict(answer)

    return response_200
