from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.table_columns_view import TableColumnsView


T = TypeVar("T", bound="SchemaTablesView")


@_attrs_define
class SchemaTablesView:
    """
    Attributes:
        name (str):  Example: public.
        is_default (bool): Whether a table without the name of a schema is looked for here.
        tables (list[str]): Names of tables, views and foreign tables. Example: ['customers'].
        table_columns (list[TableColumnsView]): The same tables with their columns.
    """

    name: str
    is_default: bool
    tables: list[str]
    table_columns: list[TableColumnsView]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        is_default = self.is_default

        tables = self.tables

        table_columns = []
        for table_columns_item_data in self.table_columns:
            table_columns_item = table_columns_item_data.to_dict()
            table_columns.append(table_columns_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "is_default": is_default,
                "tables": tables,
                "table_columns": table_columns,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.table_columns_view import TableColumnsView

        d = dict(src_dict)
        name = d.pop("name")

        is_default = d.pop("is_default")

        tables = cast(list[str], d.pop("tables"))

        table_columns = []
        _table_columns = d.pop("table_columns")
        for table_columns_item_data in _table_columns:
            table_columns_item = TableColumnsView.from_dict(table_columns_item_data)

            table_columns.append(table_columns_item)

        schema_tables_view = cls(
            name=name,
            is_default=is_default,
            tables=tables,
            table_columns=table_columns,
        )

        schema_tables_view.additional_properties = d
        return schema_tables_view

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
