import datetime
from typing import Any

from ....calls import Request
from ...models.audit_page import AuditPage
from ...models.list_audit_logs_action import ListAuditLogsAction
from ...models.list_audit_logs_outcome import ListAuditLogsOutcome
from ...types import UNSET, Unset


def request(
    *,
    page: int | Unset = 1,
    page_size: int | Unset = 1000,
    actor: str | Unset = UNSET,
    resource_type: str | Unset = UNSET,
    action: ListAuditLogsAction | Unset = UNSET,
    outcome: ListAuditLogsOutcome | Unset = UNSET,
    created_after: datetime.datetime | Unset = UNSET,
    created_before: datetime.datetime | Unset = UNSET,
    request_id: str | Unset = UNSET,
) -> Request:
    params: dict[str, Any] = {}

    params["page"] = page

    params["page_size"] = page_size

    params["actor"] = actor

    params["resource_type"] = resource_type

    json_action: str | Unset = UNSET
    if not isinstance(action, Unset):
        json_action = action.value

    params["action"] = json_action

    json_outcome: str | Unset = UNSET
    if not isinstance(outcome, Unset):
        json_outcome = outcome.value

    params["outcome"] = json_outcome

    json_created_after: str | Unset = UNSET
    if not isinstance(created_after, Unset):
        json_created_after = created_after.isoformat()
    params["created_after"] = json_created_after

    json_created_before: str | Unset = UNSET
    if not isinstance(created_before, Unset):
        json_created_before = created_before.isoformat()
    params["created_before"] = json_created_before

    params["request_id"] = request_id

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/audit/logs",
        params=params,
    )


def read(answer: Any) -> AuditPage:
    response_200 = AuditPage.from_dict(answer)

    return response_200
