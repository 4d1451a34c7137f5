from typing import Any

from ....calls import Request
from ...models.ssh_public_key_body import SshPublicKeyBody
from ...models.ssh_public_key_view import SshPublicKeyView


def request(
    body: SshPublicKeyBody,
) -> Request:
    return Request(
        "POST",
        "/ssh-public-keys",
        body=body.to_dict(),
    )


def read(answer: Any) -> SshPublicKeyView:
    response_201 = SshPublicKeyView.from_dict(answer)

    return response_201
