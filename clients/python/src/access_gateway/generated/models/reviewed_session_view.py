from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.reviewed_session_view_status import ReviewedSessionViewStatus
from ..models.reviewed_session_view_verb import ReviewedSessionViewVerb

T = TypeVar("T", bound="ReviewedSessionView")


@_attrs_define
class ReviewedSessionView:
    """
    Attributes:
        id (UUID):
        user (str): E-mail of who ran it.
        verb (ReviewedSessionViewVerb):
        status (ReviewedSessionViewStatus):
        start_date (datetime.datetime):
        end_date (datetime.datetime | None):
    """

    id: UUID
    user: str
    verb: ReviewedSessionViewVerb
    status: ReviewedSessionViewStatus
    start_date: datetime.datetime
    end_date: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = str(self.id)

        user = self.user

        verb = self.verb.value

        status = self.status.value

        start_date = self.start_date.isoformat()

        end_date: None | str
        if isinstance(self.end_date, datetime.datetime):
            end_date = self.end_date.isoformat()
        else:
            end_date = self.end_date

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "user": user,
                "verb": verb,
                "status": status,
                "start_date": start_date,
                "end_date": end_date,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = UUID(d.pop("id"))

        user = d.pop("user")

        verb = ReviewedSessionViewVerb(d.pop("verb"))

        status = ReviewedSessionViewStatus(d.pop("status"))

        start_date = datetime.datetime.fromisoformat(d.pop("start_date"))

        def _parse_end_date(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                end_date_type_0 = datetime.datetime.fromisoformat(data)

                return end_date_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        end_date = _parse_end_date(d.pop("end_date"))

        reviewed_session_view = cls(
            id=id,
            user=user,
            verb=verb,
            status=status,
            start_date=start_date,
            end_date=end_date,
        )

        reviewed_session_view.additional_properties = d
        return reviewed_session_view

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
