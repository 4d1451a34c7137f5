from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="HoldViewType0")


@_attrs_define
class HoldViewType0:
    """
    Attributes:
        held_at (datetime.datetime): Since when.
        held_by (str): Who put it there: e-mail, or subject where there is none.
        reason (None | str):
    """

    held_at: datetime.datetime
    held_by: str
    reason: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        held_at = self.held_at.isoformat()

        held_by = self.held_by

        reason: None | str
        reason = self.reason

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "held_at": held_at,
                "held_by": held_by,
                "reason": reason,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        held_at = datetime.datetime.fromisoformat(d.pop("held_at"))

        held_by = d.pop("held_by")

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

        hold_view_type_0 = cls(
            held_at=held_at,
            held_by=held_by,
            reason=reason,
        )

        hold_view_type_0.additional_properties = d
        return hold_view_type_0

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
