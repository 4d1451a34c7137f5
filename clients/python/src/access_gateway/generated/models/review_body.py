from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.review_body_status import ReviewBodyStatus
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.time_window_body_type_0 import TimeWindowBodyType0


T = TypeVar("T", bound="ReviewBody")


@_attrs_define
class ReviewBody:
    """
    Attributes:
        status (ReviewBodyStatus): `APPROVED`: approves; `REJECTED`: rejects, which ends the review; `REVOKED`:
            withdraws a request or an approval. Other states cannot be set. Example: APPROVED.
        time_window (None | TimeWindowBodyType0 | Unset):
        access_duration (int | None | Unset): With `APPROVED`, for access for a while: for how many seconds at most, 60
            or more. With several approvers, the shortest; longer than was asked for changes nothing, nor does 0. Default:
            as long as was asked for. Example: 1800.
        force_review (bool | None | Unset): With `APPROVED`: satisfies at once each rule that names a group of the
            caller in `force_approval_groups`. Default: false.
        force_reason (None | str | Unset): With `force_review`, which requires it: why the others are not waited for.
        rejection_reason (None | str | Unset): With `REJECTED` or `REVOKED`: why. Default: none.
    """

    status: ReviewBodyStatus
    time_window: None | TimeWindowBodyType0 | Unset = UNSET
    access_duration: int | None | Unset = UNSET
    force_review: bool | None | Unset = UNSET
    force_reason: None | str | Unset = UNSET
    rejection_reason: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        from ..models.time_window_body_type_0 import TimeWindowBodyType0

        status = self.status.value

        time_window: dict[str, Any] | None | Unset
        if isinstance(self.time_window, Unset):
            time_window = UNSET
        elif isinstance(self.time_window, TimeWindowBodyType0):
            time_window = self.time_window.to_dict()
        else:
            time_window = self.time_window

        access_duration: int | None | Unset
        if isinstance(self.access_duration, Unset):
            access_duration = UNSET
        else:
            access_duration = self.access_duration

        force_review: bool | None | Unset
        if isinstance(self.force_review, Unset):
            force_review = UNSET
        else:
            force_review = self.force_review

        force_reason: None | str | Unset
        if isinstance(self.force_reason, Unset):
            force_reason = UNSET
        else:
            force_reason = self.force_reason

        rejection_reason: None | str | Unset
        if isinstance(self.rejection_reason, Unset):
            rejection_reason = UNSET
        else:
            rejection_reason = self.rejection_reason

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "status": status,
            }
        )
        if time_window is not UNSET:
            field_dict["time_window"] = time_window
        if access_duration is not UNSET:
            field_dict["access_duration"] = access_duration
        if force_review is not UNSET:
            field_dict["force_review"] = force_review
        if force_reason is not UNSET:
            field_dict["force_reason"] = force_reason
        if rejection_reason is not UNSET:
            field_dict["rejection_reason"] = rejection_reason

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.time_window_body_type_0 import TimeWindowBodyType0

        d = dict(src_dict)
        status = ReviewBodyStatus(d.pop("status"))

        def _parse_time_window(data: object) -> None | TimeWindowBodyType0 | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_time_window_body_type_0 = TimeWindowBodyType0.from_dict(data)

                return componentsschemas_time_window_body_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | TimeWindowBodyType0 | Unset, data)

        time_window = _parse_time_window(d.pop("time_window", UNSET))

        def _parse_access_duration(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        access_duration = _parse_access_duration(d.pop("access_duration", UNSET))

        def _parse_force_review(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        force_review = _parse_force_review(d.pop("force_review", UNSET))

        def _parse_force_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        force_reason = _parse_force_reason(d.pop("force_reason", UNSET))

        def _parse_rejection_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        rejection_reason = _parse_rejection_reason(d.pop("rejection_reason", UNSET))

        review_body = cls(
            status=status,
            time_window=time_window,
            access_duration=access_duration,
            force_review=force_review,
            force_reason=force_reason,
            rejection_reason=rejection_reason,
        )

        return review_body
