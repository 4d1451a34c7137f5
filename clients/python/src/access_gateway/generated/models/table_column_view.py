from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="TableColumnView")


@_attrs_define
class TableColumnView:
    """
    Attributes:
        column_name (str):  Example: email.
        column_type (str): In the words of the target. Example: character varying(100).
        not_null (bool):
    """

    column_name: str
    column_type: str
    not_null: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        column_name = self.column_name

        column_type = self.column_type

        not_null = self.not_null

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "column_name": column_name,
                "column_type": column_type,
                "not_null": not_null,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        column_name = d.pop("column_name")

        column_type = d.pop("column_type")

        not_null = d.pop("not_null")

        table_column_view = cls(
            column_name=column_name,
            column_type=column_type,
            not_null=not_null,
        )

        table_column_view.additional_properties = d
        return table_column_view

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
