from typing import Any

from ....calls import Request
from ...models.list_reviews_after_review import ListReviewsAfterReview
from ...models.list_reviews_mine import ListReviewsMine
from ...models.list_reviews_order import ListReviewsOrder
from ...models.list_reviews_status import ListReviewsStatus
from ...models.review_page import ReviewPage
from ...types import UNSET, Unset


def request(
    *,
    page: int | Unset = 1,
    page_size: int | Unset = 1000,
    mine: ListReviewsMine | Unset = UNSET,
    status: ListReviewsStatus | Unset = UNSET,
    after_review: ListReviewsAfterReview | Unset = UNSET,
    order: ListReviewsOrder | Unset = UNSET,
) -> Request:
    params: dict[str, Any] = {}

    params["page"] = page

    params["page_size"] = page_size

    json_mine: str | Unset = UNSET
    if not isinstance(mine, Unset):
        json_mine = mine.value

    params["mine"] = json_mine

    json_status: str | Unset = UNSET
    if not isinstance(status, Unset):
        json_status = status.value

    params["status"] = json_status

    json_after_review: str | Unset = UNSET
    if not isinstance(after_review, Unset):
        json_after_review = after_review.value

    params["after_review"] = json_after_review

    json_order: str | Unset = UNSET
    if not isinstance(order, Unset):
        json_order = order.value

    params["order"] = json_order

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/reviews",
        params=params,
    )


def read(answer: Any) -> ReviewPage:
    response_200 = ReviewPage.from_dict(answer)

    return response_200
