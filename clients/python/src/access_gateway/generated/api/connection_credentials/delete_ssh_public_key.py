from urllib.parse import quote
from uuid import UUID

from ....calls import Request


def request(
    id: UUID | str,
) -> Request:
    return Request(
        "DELETE",
        "/ssh-public-keys/{id}".format(
            id=quote(str(id), safe=""),
        ),
    )
