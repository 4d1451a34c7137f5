from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.request_view_after_review_type_1 import RequestViewAfterReviewType1
from ..models.request_view_after_review_type_2_type_1 import (
    RequestViewAfterReviewType2Type1,
)
from ..models.request_view_after_review_type_3_type_1 import (
    RequestViewAfterReviewType3Type1,
)
from ..models.request_view_status import RequestViewStatus
from ..models.request_view_type import RequestViewType
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.missing_approval_view import MissingApprovalView
    from ..models.review_group_view import ReviewGroupView
    from ..models.reviewed_call_view_type_0 import ReviewedCallViewType0
    from ..models.reviewed_connection_view import ReviewedConnectionView
    from ..models.reviewer_view import ReviewerView
    from ..models.sign_off_view_type_0 import SignOffViewType0
    from ..models.time_window_view_type_0 import TimeWindowViewType0


T = TypeVar("T", bound="RequestView")


@_attrs_define
class RequestView:
    """
    Attributes:
        id (UUID):
        status (RequestViewStatus):
        type_ (RequestViewType):
        access_duration (int): Seconds; 0 for a one-time review.
        access_request_rule_name (str):  Example: prod-databases.
        min_approvals (int):
        force_approval_groups (list[str]):
        created_at (datetime.datetime):
        revoke_at (str): When the access ends (RFC 3339); may be empty.
        reason (None | str): Reason for the request, in the words of the requester; null where none was given.
        rejection_reason (None | str):
        force_reason (None | str): Why the approval was forced, or what the emergency was; null where there was neither.
        emergency (bool): Whether the requester opened it in an emergency, in place of its reviewers.
        review_groups_data (list[ReviewGroupView]):
        session_id (None | UUID): Session that waits for the review and has the script.
        script_start (None | str): The first 300 characters of the script; null: the review is not about a script, or is
            over, and the session has the script. Example: UPDATE customers SET city = 'Oslo' WHERE id = 42.
        connection (ReviewedConnectionView):
        review_owner (ReviewerView):
        missing (list[MissingApprovalView]): What is missing before it is approved, an entry for each rule; empty when
            it does not wait.
        approved_at (datetime.datetime | None):
        expires_at (datetime.datetime): When the review expires if nobody decides, or the approval is not used.
        after_review (None | RequestViewAfterReviewType1 | RequestViewAfterReviewType2Type1 |
            RequestViewAfterReviewType3Type1 | Unset): Of a forced approval or an emergency: whether another person has
            signed it off afterwards. Null for all others.
        sign_off (None | SignOffViewType0 | Unset):
        time_window (None | TimeWindowViewType0 | Unset):
        call (None | ReviewedCallViewType0 | Unset):
    """

    id: UUID
    status: RequestViewStatus
    type_: RequestViewType
    access_duration: int
    access_request_rule_name: str
    min_approvals: int
    force_approval_groups: list[str]
    created_at: datetime.datetime
    revoke_at: str
    reason: None | str
    rejection_reason: None | str
    force_reason: None | str
    emergency: bool
    review_groups_data: list[ReviewGroupView]
    session_id: None | UUID
    script_start: None | str
    connection: ReviewedConnectionView
    review_owner: ReviewerView
    missing: list[MissingApprovalView]
    approved_at: datetime.datetime | None
    expires_at: datetime.datetime
    after_review: (
        None
        | RequestViewAfterReviewType1
        | RequestViewAfterReviewType2Type1
        | RequestViewAfterReviewType3Type1
        | Unset
    ) = UNSET
    sign_off: None | SignOffViewType0 | Unset = UNSET
    time_window: None | TimeWindowViewType0 | Unset = UNSET
    call: None | ReviewedCallViewType0 | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.reviewed_call_view_type_0 import ReviewedCallViewType0
        from ..models.sign_off_view_type_0 import SignOffViewType0
        from ..models.time_window_view_type_0 import TimeWindowViewType0

        id = str(self.id)

        status = self.status.value

        type_ = self.type_.value

        access_duration = self.access_duration

        access_request_rule_name = self.access_request_rule_name

        min_approvals = self.min_approvals

        force_approval_groups = self.force_approval_groups

        created_at = self.created_at.isoformat()

        revoke_at = self.revoke_at

        reason: None | str
        reason = self.reason

        rejection_reason: None | str
        rejection_reason = self.rejection_reason

        force_reason: None | str
        force_reason = self.force_reason

        emergency = self.emergency

        review_groups_data = []
        for review_groups_data_item_data in self.review_groups_data:
            review_groups_data_item = review_groups_data_item_data.to_dict()
            review_groups_data.append(review_groups_data_item)

        session_id: None | str
        if isinstance(self.session_id, UUID):
            session_id = str(self.session_id)
        else:
            session_id = self.session_id

        script_start: None | str
        script_start = self.script_start

        connection = self.connection.to_dict()

        review_owner = self.review_owner.to_dict()

        missing = []
        for missing_item_data in self.missing:
            missing_item = missing_item_data.to_dict()
            missing.append(missing_item)

        approved_at: None | str
        if isinstance(self.approved_at, datetime.datetime):
            approved_at = self.approved_at.isoformat()
        else:
            approved_at = self.approved_at

        expires_at = self.expires_at.isoformat()

        after_review: None | str | Unset
        if isinstance(self.after_review, Unset):
            after_review = UNSET
        elif (
            isinstance(self.after_review, RequestViewAfterReviewType1)
            or isinstance(self.after_review, RequestViewAfterReviewType2Type1)
            or isinstance(self.after_review, RequestViewAfterReviewType3Type1)
        ):
            after_review = self.after_review.value
        else:
            after_review = self.after_review

        sign_off: dict[str, Any] | None | Unset
        if isinstance(self.sign_off, Unset):
            sign_off = UNSET
        elif isinstance(self.sign_off, SignOffViewType0):
            sign_off = self.sign_off.to_dict()
        else:
            sign_off = self.sign_off

        time_window: dict[str, Any] | None | Unset
        if isinstance(self.time_window, Unset):
            time_window = UNSET
        elif isinstance(self.time_window, TimeWindowViewType0):
            time_window = self.time_window.to_dict()
        else:
            time_window = self.time_window

        call: dict[str, Any] | None | Unset
        if isinstance(self.call, Unset):
            call = UNSET
        elif isinstance(self.call, ReviewedCallViewType0):
            call = self.call.to_dict()
        else:
            call = self.call

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "status": status,
                "type": type_,
                "access_duration": access_duration,
                "access_request_rule_name": access_request_rule_name,
                "min_approvals": min_approvals,
                "force_approval_groups": force_approval_groups,
                "created_at": created_at,
                "revoke_at": revoke_at,
                "reason": reason,
                "rejection_reason": rejection_reason,
                "force_reason": force_reason,
                "emergency": emergency,
                "review_groups_data": review_groups_data,
                "session_id": session_id,
                "script_start": script_start,
                "connection": connection,
                "review_owner": review_owner,
                "missing": missing,
                "approved_at": approved_at,
                "expires_at": expires_at,
            }
        )
        if after_review is not UNSET:
            field_dict["after_review"] = after_review
        if sign_off is not UNSET:
            field_dict["sign_off"] = sign_off
        if time_window is not UNSET:
            field_dict["time_window"] = time_window
        if call is not UNSET:
            field_dict["call"] = call

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.missing_approval_view import MissingApprovalView
        from ..models.review_group_view import ReviewGroupView
        from ..models.reviewed_call_view_type_0 import ReviewedCallViewType0
        from ..models.reviewed_connection_view import ReviewedConnectionView
        from ..models.reviewer_view import ReviewerView
        from ..models.sign_off_view_type_0 import SignOffViewType0
        from ..models.time_window_view_type_0 import TimeWindowViewType0

        d = dict(src_dict)
        id = UUID(d.pop("id"))

        status = RequestViewStatus(d.pop("status"))

        type_ = RequestViewType(d.pop("type"))

        access_duration = d.pop("access_duration")

        access_request_rule_name = d.pop("access_request_rule_name")

        min_approvals = d.pop("min_approvals")

        force_approval_groups = cast(list[str], d.pop("force_approval_groups"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        revoke_at = d.pop("revoke_at")

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

        def _parse_rejection_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        rejection_reason = _parse_rejection_reason(d.pop("rejection_reason"))

        def _parse_force_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        force_reason = _parse_force_reason(d.pop("force_reason"))

        emergency = d.pop("emergency")

        review_groups_data = []
        _review_groups_data = d.pop("review_groups_data")
        for review_groups_data_item_data in _review_groups_data:
            review_groups_data_item = ReviewGroupView.from_dict(review_groups_data_item_data)

            review_groups_data.append(review_groups_data_item)

        def _parse_session_id(data: object) -> None | UUID:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                session_id_type_0 = UUID(data)

                return session_id_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UUID, data)

        session_id = _parse_session_id(d.pop("session_id"))

        def _parse_script_start(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        script_start = _parse_script_start(d.pop("script_start"))

        connection = ReviewedConnectionView.from_dict(d.pop("connection"))

        review_owner = ReviewerView.from_dict(d.pop("review_owner"))

        missing = []
        _missing = d.pop("missing")
        for missing_item_data in _missing:
            missing_item = MissingApprovalView.from_dict(missing_item_data)

            missing.append(missing_item)

        def _parse_approved_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                approved_at_type_0 = datetime.datetime.fromisoformat(data)

                return approved_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        approved_at = _parse_approved_at(d.pop("approved_at"))

        expires_at = datetime.datetime.fromisoformat(d.pop("expires_at"))

        def _parse_after_review(
            data: object,
        ) -> (
            None
            | RequestViewAfterReviewType1
            | RequestViewAfterReviewType2Type1
            | RequestViewAfterReviewType3Type1
            | Unset
        ):
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                after_review_type_1 = RequestViewAfterReviewType1(data)

                return after_review_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                after_review_type_2_type_1 = RequestViewAfterReviewType2Type1(data)

                return after_review_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                after_review_type_3_type_1 = RequestViewAfterReviewType3Type1(data)

                return after_review_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                None
                | RequestViewAfterReviewType1
                | RequestViewAfterReviewType2Type1
                | RequestViewAfterReviewType3Type1
                | Unset,
                data,
            )

        after_review = _parse_after_review(d.pop("after_review", UNSET))

        def _parse_sign_off(data: object) -> None | SignOffViewType0 | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_sign_off_view_type_0 = SignOffViewType0.from_dict(data)

                return componentsschemas_sign_off_view_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SignOffViewType0 | Unset, data)

        sign_off = _parse_sign_off(d.pop("sign_off", UNSET))

        def _parse_time_window(data: object) -> None | TimeWindowViewType0 | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_time_window_view_type_0 = TimeWindowViewType0.from_dict(data)

                return componentsschemas_time_window_view_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | TimeWindowViewType0 | Unset, data)

        time_window = _parse_time_window(d.pop("time_window", UNSET))

        def _parse_call(data: object) -> None | ReviewedCallViewType0 | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_reviewed_call_view_type_0 = ReviewedCallViewType0.from_dict(data)

                return componentsschemas_reviewed_call_view_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ReviewedCallViewType0 | Unset, data)

        call = _parse_call(d.pop("call", UNSET))

        request_view = cls(
            id=id,
            status=status,
            type_=type_,
            access_duration=access_duration,
            access_request_rule_name=access_request_rule_name,
            min_approvals=min_approvals,
            force_approval_groups=force_approval_groups,
            created_at=created_at,
            revoke_at=revoke_at,
            reason=reason,
            rejection_reason=rejection_reason,
            force_reason=force_reason,
            emergency=emergency,
            review_groups_data=review_groups_data,
            session_id=session_id,
            script_start=script_start,
            connection=connection,
            review_owner=review_owner,
            missing=missing,
            approved_at=approved_at,
            expires_at=expires_at,
            after_review=after_review,
            sign_off=sign_off,
            time_window=time_window,
            call=call,
        )

        request_view.additional_properties = d
        return request_view

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
