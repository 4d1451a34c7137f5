import datetime
from typing import Any

from ....calls import Request
from ...models.list_sessions_count import ListSessionsCount
from ...models.list_sessions_review_after_review import ListSessionsReviewAfterReview
from ...models.list_sessions_review_status import ListSessionsReviewStatus
from ...models.list_sessions_status import ListSessionsStatus
from ...models.list_sessions_verb import ListSessionsVerb
from ...models.session_page import SessionPage
from ...types import UNSET, Unset


def request(
    *,
    limit: int | Unset = 20,
    offset: int | Unset = 0,
    count: ListSessionsCount | Unset = ListSessionsCount.CAPPED,
    user: str | Unset = UNSET,
    connection: str | Unset = UNSET,
    type_: str | Unset = UNSET,
    verb: ListSessionsVerb | Unset = UNSET,
    status: ListSessionsStatus | Unset = UNSET,
    start_date: datetime.datetime | Unset = UNSET,
    end_date: datetime.datetime | Unset = UNSET,
    review_status: ListSessionsReviewStatus | Unset = UNSET,
    review_after_review: ListSessionsReviewAfterReview | Unset = UNSET,
    review_approver: str | Unset = UNSET,
    batch_id: str | Unset = UNSET,
    correlation_id: str | Unset = UNSET,
    guardrail: str | Unset = UNSET,
    q: str | Unset = UNSET,
) -> Request:
    params: dict[str, Any] = {}

    params["limit"] = limit

    params["offset"] = offset

    json_count: str | Unset = UNSET
    if not isinstance(count, Unset):
        json_count = count.value

    params["count"] = json_count

    params["user"] = user

    params["connection"] = connection

    params["type"] = type_

    json_verb: str | Unset = UNSET
    if not isinstance(verb, Unset):
        json_verb = verb.value

    params["verb"] = json_verb

    json_status: str | Unset = UNSET
    if not isinstance(status, Unset):
        json_status = status.value

    params["status"] = json_status

    json_start_date: str | Unset = UNSET
    if not isinstance(start_date, Unset):
        json_start_date = start_date.isoformat()
    params["start_date"] = json_start_date

    json_end_date: str | Unset = UNSET
    if not isinstance(end_date, Unset):
        json_end_date = end_date.isoformat()
    params["end_date"] = json_end_date

    json_review_status: str | Unset = UNSET
    if not isinstance(review_status, Unset):
        json_review_status = review_status.value

    params["review.status"] = json_review_status

    json_review_after_review: str | Unset = UNSET
    if not isinstance(review_after_review, Unset):
        json_review_after_review = review_after_review.value

    params["review.after_review"] = json_review_after_review

    params["review.approver"] = review_approver

    params["batch_id"] = batch_id

    params["correlation_id"] = correlation_id

    params["guardrail"] = guardrail

    params["q"] = q

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/sessions",
        params=params,
    )


def read(answer: Any) -> SessionPage:
    response_200 = SessionPage.from_dict(answer)

    return response_200
