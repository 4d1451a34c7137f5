from urllib.parse import quote

from ....calls import Request


def request(
    name_or_id: str,
) -> Request:
    return Request(
        "DELETE",
        "/connections/{name_or_id}/mcp-connect".format(
            name_or_id=quote(str(name_or_id), safe=""),
        ),
    )
