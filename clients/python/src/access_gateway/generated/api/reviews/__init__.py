from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from uuid import UUID

import httpx

from ....calls import Answer, AsyncOperations, Operations
from ....pages import async_pages, pages
from ...models.emergency_body import EmergencyBody
from ...models.list_reviews_after_review import ListReviewsAfterReview
from ...models.list_reviews_mine import ListReviewsMine
from ...models.list_reviews_order import ListReviewsOrder
from ...models.list_reviews_status import ListReviewsStatus
from ...models.request_view import RequestView
from ...models.review_body import ReviewBody
from ...models.review_context_view import ReviewContextView
from ...models.review_page import ReviewPage
from ...models.sign_off_body import SignOffBody
from ...types import UNSET, Unset
from . import declare_emergency as _declare_emergency
from . import get_review as _get_review
from . import get_review_context as _get_review_context
from . import list_reviews as _list_reviews
from . import sign_off_review as _sign_off_review
from . import stream_reviews as _stream_reviews
from . import update_review as _update_review
from . import update_session_review as _update_session_review


class Reviews(Operations):
    def get_review_context(
        self,
        id: UUID | str,
    ) -> Answer[ReviewContextView]:
        """Get what helps to decide a review: what its script does, earlier requests, sessions under it.

        For all signed-in callers.
        """

        return self._call(
            _get_review_context.request(
                id,
            ),
            _get_review_context.read,
        )

    def stream_reviews(
        self,
        *,
        seconds: int | Unset = 900,
    ) -> AbstractContextManager[httpx.Response]:
        """Follow which reviews change.

        A stream of server-sent events: which reviews change, of those that the caller may see, through
        whichever gateway.

        - `message`: its data is `{ id, session_id, status }`. What else changed is read with `GET
        /reviews/{id}`. Changes that come while the reader takes nothing are told once.

        The stream begins with what changes from now on: read what you show after it has opened. It ends
        after 15 minutes at the latest, when the gateway stops or may have missed changes, and when the
        caller may no longer act: ask again. Each person or API key may have 10 at a time.

        For all signed-in callers.
        """

        return self._open(
            _stream_reviews.request(
                seconds=seconds,
            )
        )

    def list_reviews(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        mine: ListReviewsMine | Unset = UNSET,
        status: ListReviewsStatus | Unset = UNSET,
        after_review: ListReviewsAfterReview | Unset = UNSET,
        order: ListReviewsOrder | Unset = UNSET,
    ) -> Answer[ReviewPage]:
        """List reviews, newest first: the caller’s own and those for a group of the caller; all reviews for
        admins and auditors.

        For all signed-in callers.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_reviews.request(
                page=page,
                page_size=page_size,
                mine=mine,
                status=status,
                after_review=after_review,
                order=order,
            ),
            _list_reviews.read,
        )

    def all_reviews(
        self,
        *,
        page_size: int | Unset = 1000,
        mine: ListReviewsMine | Unset = UNSET,
        status: ListReviewsStatus | Unset = UNSET,
        after_review: ListReviewsAfterReview | Unset = UNSET,
        order: ListReviewsOrder | Unset = UNSET,
    ) -> Iterator[RequestView]:
        """The items of all pages of list_reviews: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_reviews(
                page_size=page_size,
                mine=mine,
                status=status,
                after_review=after_review,
                order=order,
                page=page,
            ),
            lambda item: item.id,
        )

    def get_review(
        self,
        id: UUID | str,
    ) -> Answer[RequestView]:
        """Get a review by its id or the id of its session.

        For all signed-in callers.
        """

        return self._call(
            _get_review.request(
                id,
            ),
            _get_review.read,
        )

    def update_review(
        self,
        id: UUID | str,
        body: ReviewBody,
    ) -> Answer[RequestView]:
        """Approve, reject or revoke a review by its id or the id of its session.

        For all signed-in callers except auditors.
        """

        return self._call(
            _update_review.request(
                id,
                body,
            ),
            _update_review.read,
        )

    def declare_emergency(
        self,
        id: UUID | str,
        body: EmergencyBody,
    ) -> Answer[RequestView]:
        """Open your own request in an emergency, without waiting for its reviewers.

        For all signed-in callers except auditors.
        """

        return self._call(
            _declare_emergency.request(
                id,
                body,
            ),
            _declare_emergency.read,
        )

    def sign_off_review(
        self,
        id: UUID | str,
        body: SignOffBody,
    ) -> Answer[RequestView]:
        """Sign a forced approval or an emergency off, after a second look.

        For all signed-in callers except auditors.
        """

        return self._call(
            _sign_off_review.request(
                id,
                body,
            ),
            _sign_off_review.read,
        )

    def update_session_review(
        self,
        session_id: UUID | str,
        body: ReviewBody,
    ) -> Answer[RequestView]:
        """Approve, reject or revoke the review of a session.

        For all signed-in callers except auditors.
        """

        return self._call(
            _update_session_review.request(
                session_id,
                body,
            ),
            _update_session_review.read,
        )


class AsyncReviews(AsyncOperations):
    async def get_review_context(
        self,
        id: UUID | str,
    ) -> Answer[ReviewContextView]:
        """Get what helps to decide a review: what its script does, earlier requests, sessions under it.

        For all signed-in callers.
        """

        return await self._call(
            _get_review_context.request(
                id,
            ),
            _get_review_context.read,
        )

    def stream_reviews(
        self,
        *,
        seconds: int | Unset = 900,
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """Follow which reviews change.

        A stream of server-sent events: which reviews change, of those that the caller may see, through
        whichever gateway.

        - `message`: its data is `{ id, session_id, status }`. What else changed is read with `GET
        /reviews/{id}`. Changes that come while the reader takes nothing are told once.

        The stream begins with what changes from now on: read what you show after it has opened. It ends
        after 15 minutes at the latest, when the gateway stops or may have missed changes, and when the
        caller may no longer act: ask again. Each person or API key may have 10 at a time.

        For all signed-in callers.
        """

        return self._open(
            _stream_reviews.request(
                seconds=seconds,
            )
        )

    async def list_reviews(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        mine: ListReviewsMine | Unset = UNSET,
        status: ListReviewsStatus | Unset = UNSET,
        after_review: ListReviewsAfterReview | Unset = UNSET,
        order: ListReviewsOrder | Unset = UNSET,
    ) -> Answer[ReviewPage]:
        """List reviews, newest first: the caller’s own and those for a group of the caller; all reviews for
        admins and auditors.

        For all signed-in callers.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_reviews.request(
                page=page,
                page_size=page_size,
                mine=mine,
                status=status,
                after_review=after_review,
                order=order,
            ),
            _list_reviews.read,
        )

    def all_reviews(
        self,
        *,
        page_size: int | Unset = 1000,
        mine: ListReviewsMine | Unset = UNSET,
        status: ListReviewsStatus | Unset = UNSET,
        after_review: ListReviewsAfterReview | Unset = UNSET,
        order: ListReviewsOrder | Unset = UNSET,
    ) -> AsyncIterator[RequestView]:
        """The items of all pages of list_reviews: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_reviews(
                page_size=page_size,
                mine=mine,
                status=status,
                after_review=after_review,
                order=order,
                page=page,
            ),
            lambda item: item.id,
        )

    async def get_review(
        self,
        id: UUID | str,
    ) -> Answer[RequestView]:
        """Get a review by its id or the id of its session.

        For all signed-in callers.
        """

        return await self._call(
            _get_review.request(
                id,
            ),
            _get_review.read,
        )

    async def update_review(
        self,
        id: UUID | str,
        body: ReviewBody,
    ) -> Answer[RequestView]:
        """Approve, reject or revoke a review by its id or the id of its session.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _update_review.request(
                id,
                body,
            ),
            _update_review.read,
        )

    async def declare_emergency(
        self,
        id: UUID | str,
        body: EmergencyBody,
    ) -> Answer[RequestView]:
        """Open your own request in an emergency, without waiting for its reviewers.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _declare_emergency.request(
                id,
                body,
            ),
            _declare_emergency.read,
        )

    async def sign_off_review(
        self,
        id: UUID | str,
        body: SignOffBody,
    ) -> Answer[RequestView]:
        """Sign a forced approval or an emergency off, after a second look.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _sign_off_review.request(
                id,
                body,
            ),
            _sign_off_review.read,
        )

    async def update_session_review(
        self,
        session_id: UUID | str,
        body: ReviewBody,
    ) -> Answer[RequestView]:
        """Approve, reject or revoke the review of a session.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _update_session_review.request(
                session_id,
                body,
            ),
            _update_session_review.read,
        )
