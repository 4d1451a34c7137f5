from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.effective_policy_view import EffectivePolicyView
from ...models.get_effective_policy_verb import GetEffectivePolicyVerb
from ...types import UNSET, Unset


def request(
    name_or_id: str,
    *,
    user: str | Unset = UNSET,
    verb: GetEffectivePolicyVerb | Unset = GetEffectivePolicyVerb.EXEC,
) -> Request:
    params: dict[str, Any] = {}

    params["user"] = user

    json_verb: str | Unset = UNSET
    if not isinstance(verb, Unset):
        json_verb = verb.value

    params["verb"] = json_verb

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/connections/{name_or_id}/effective-policy".format(
            name_or_id=quote(str(name_or_id), safe=""),
        ),
        params=params,
    )


def read(answer: Any) -> EffectivePolicyView:
    response_200 = EffectivePolicyView.from_dict(answer)

    return response_200
