from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="GuardrailStatsView")


@_attrs_define
class GuardrailStatsView:
    """
    Attributes:
        id (UUID):
        checked (int): Number of inputs and output streams that the rule checked.
        hit (int): Number of blocks and masks.
        last_hit (datetime.datetime | None): When it last hit.
    """

    id: UUID
    checked: int
    hit: int
    last_hit: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = str(self.id)

        checked = self.checked

        hit = self.hit

        last_hit: None | str
        if isinstance(self.last_hit, datetime.datetime):
            last_hit = self.last_hit.isoformat()
        else:
            last_hit = self.last_hit

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "checked": checked,
                "hit": hit,
                "last_hit": last_hit,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = UUID(d.pop("id"))

        checked = d.pop("checked")

        hit = d.pop("hit")

        def _parse_last_hit(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_hit_type_0 = datetime.datetime.fromisoformat(data)

                return last_hit_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        last_hit = _parse_last_hit(d.pop("last_hit"))

        guardrail_stats_view = cls(
            id=id,
            checked=checked,
            hit=hit,
            last_hit=last_hit,
        )

        guardrail_stats_view.additional_properties = d
        return guardrail_stats_view

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
