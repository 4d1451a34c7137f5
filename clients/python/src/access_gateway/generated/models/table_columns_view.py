from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.table_column_view import TableColumnView


T = TypeVar("T", bound="TableColumnsView")


@_attrs_define
class TableColumnsView:
    """
    Attributes:
        table (str): Name of the table. Example: customers.
        columns (list[TableColumnView]):
    """

    table: str
    columns: list[TableColumnView]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        table = self.table

        columns = []
        for columns_item_data in self.columns:
            columns_item = columns_item_data.to_dict()
            columns.append(columns_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "table": table,
                "columns": columns,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.table_column_view import TableColumnView

        d = dict(src_dict)
        table = d.pop("table")

        columns = []
        _columns = d.pop("columns")
        for columns_item_data in _columns:
            columns_item = TableColumnView.from_dict(columns_item_data)

            columns.append(columns_item)

        table_columns_view = cls(
            table=table,
            columns=columns,
        )

        table_columns_view.additional_properties = d
        return table_columns_view

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
