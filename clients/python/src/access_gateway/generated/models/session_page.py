from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.session_view import SessionView


T = TypeVar("T", bound="SessionPage")


@_attrs_define
class SessionPage:
    """
    Attributes:
        data (list[SessionView]): Sessions without `script` (null) and `event_stream` (empty).
        total (int | None): How many sessions match; at most 10 000 unless counted exactly; null when not counted.
        total_is_capped (bool): Whether more sessions match than `total`.
        has_next_page (bool): Whether sessions follow this page.
    """

    data: list[SessionView]
    total: int | None
    total_is_capped: bool
    has_next_page: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        data = []
        for data_item_data in self.data:
            data_item = data_item_data.to_dict()
            data.append(data_item)

        total: int | None
        total = self.total

        total_is_capped = self.total_is_capped

        has_next_page = self.has_next_page

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "data": data,
                "total": total,
                "total_is_capped": total_is_capped,
                "has_next_page": has_next_page,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.session_view import SessionView

        d = dict(src_dict)
        data = []
        _data = d.pop("data")
        for data_item_data in _data:
            data_item = SessionView.from_dict(data_item_data)

            data.append(data_item)

        def _parse_total(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        total = _parse_total(d.pop("total"))

        total_is_capped = d.pop("total_is_capped")

        has_next_page = d.pop("has_next_page")

        session_page = cls(
            data=data,
            total=total,
            total_is_capped=total_is_capped,
            has_next_page=has_next_page,
        )

        session_page.additional_properties = d
        return session_page

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
