from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.script_check_body import ScriptCheckBody
from ...models.script_check_view import ScriptCheckView


def request(
    name_or_id: str,
    body: ScriptCheckBody,
) -> Request:
    return Request(
        "POST",
        "/connections/{name_or_id}/script-check".format(
            name_or_id=quote(str(name_or_id), safe=""),
        ),
        body=body.to_dict(),
    )


def read(answer: Any) -> ScriptCheckView:
    response_200 = ScriptCheckView.from_dict(answer)

    return response_200
