from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.review_group_view_status import ReviewGroupViewStatus
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.reviewer_view_or_null_type_0 import ReviewerViewOrNullType0


T = TypeVar("T", bound="ReviewGroupView")


@_attrs_define
class ReviewGroupView:
    """
    Attributes:
        id (UUID):
        group (str): Group that is asked. Example: dba.
        status (ReviewGroupViewStatus):
        forced_review (bool): Whether the approval was forced.
        review_date (datetime.datetime | None):
        reviewed_by (None | ReviewerViewOrNullType0 | Unset):
    """

    id: UUID
    group: str
    status: ReviewGroupViewStatus
    forced_review: bool
    review_date: datetime.datetime | None
    reviewed_by: None | ReviewerViewOrNullType0 | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.reviewer_view_or_null_type_0 import ReviewerViewOrNullType0

        id = str(self.id)

        group = self.group

        status = self.status.value

        forced_review = self.forced_review

        review_date: None | str
        if isinstance(self.review_date, datetime.datetime):
            review_date = self.review_date.isoformat()
        else:
            review_date = self.review_date

        reviewed_by: dict[str, Any] | None | Unset
        if isinstance(self.reviewed_by, Unset):
            reviewed_by = UNSET
        elif isinstance(self.reviewed_by, ReviewerViewOrNullType0):
            reviewed_by = self.reviewed_by.to_dict()
        else:
            reviewed_by = self.reviewed_by

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "group": group,
                "status": status,
                "forced_review": forced_review,
                "review_date": review_date,
            }
        )
        if reviewed_by is not UNSET:
            field_dict["reviewed_by"] = reviewed_by

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.reviewer_view_or_null_type_0 import ReviewerViewOrNullType0

        d = dict(src_dict)
        id = UUID(d.pop("id"))

        group = d.pop("group")

        status = ReviewGroupViewStatus(d.pop("status"))

        forced_review = d.pop("forced_review")

        def _parse_review_date(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                review_date_type_0 = datetime.datetime.fromisoformat(data)

                return review_date_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        review_date = _parse_review_date(d.pop("review_date"))

        def _parse_reviewed_by(data: object) -> None | ReviewerViewOrNullType0 | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_reviewer_view_or_null_type_0 = ReviewerViewOrNullType0.from_dict(data)

                return componentsschemas_reviewer_view_or_null_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ReviewerViewOrNullType0 | Unset, data)

        reviewed_by = _parse_reviewed_by(d.pop("reviewed_by", UNSET))

        review_group_view = cls(
            id=id,
            group=group,
            status=status,
            forced_review=forced_review,
            review_date=review_date,
            reviewed_by=reviewed_by,
        )

        review_group_view.additional_properties = d
        return review_group_view

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
