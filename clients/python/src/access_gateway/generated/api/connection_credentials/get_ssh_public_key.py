from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.ssh_public_key_view import SshPublicKeyView


def request(
    id: UUID | str,
) -> Request:
    return Request(
        "GET",
        "/ssh-public-keys/{id}".format(
            id=quote(str(id), safe=""),
        ),
    )


def read(answer: Any) -> SshPublicKeyView:
    response_200 = SshPublicKeyView.from_dict(answer)

    return response_200
