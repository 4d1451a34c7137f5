from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ReviewedTableView")


@_attrs_define
class ReviewedTableView:
    """
    Attributes:
        schema (None | str): null: none is named. Example: public.
        name (str): `*`: tables that the statement does not name. Example: customers.
        is_written (bool): Whether it is changed.
    """

    schema: None | str
    name: str
    is_written: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        schema: None | str
        schema = self.schema

        name = self.name

        is_written = self.is_written

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "schema": schema,
                "name": name,
                "is_written": is_written,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_schema(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        schema = _parse_schema(d.pop("schema"))

        name = d.pop("name")

        is_written = d.pop("is_written")

        reviewed_table_view = cls(
            schema=schema,
            name=name,
            is_written=is_written,
        )

        reviewed_table_view.additional_properties = d
        return reviewed_table_view

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
