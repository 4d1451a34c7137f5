from urllib.parse import quote
from uuid import UUID

from ....calls import Request


def request(
    name_or_id: str,
    id: UUID | str,
) -> Request:
    return Request(
        "POST",
        "/connections/{name_or_id}/credentials/{id}/revoke".format(
            name_or_id=quote(str(name_or_id), safe=""),
            id=quote(str(id), safe=""),
        ),
    )
