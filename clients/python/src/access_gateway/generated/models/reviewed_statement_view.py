from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.reviewed_table_view import ReviewedTableView


T = TypeVar("T", bound="ReviewedStatementView")


@_attrs_define
class ReviewedStatementView:
    """
    Attributes:
        start (int): Where it begins in the script, in UTF-16 code units.
        end (int): Where it ends.
        kinds (list[str]): Kinds of the statement and of what it contains. Example: ['delete'].
        without_where (bool): It changes or deletes all rows: its condition is missing, or is the same for every row.
        tables (list[ReviewedTableView]):
        hidden (list[str]): Why part of its effect cannot be told from its text.
    """

    start: int
    end: int
    kinds: list[str]
    without_where: bool
    tables: list[ReviewedTableView]
    hidden: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        start = self.start

        end = self.end

        kinds = self.kinds

        without_where = self.without_where

        tables = []
        for tables_item_data in self.tables:
            tables_item = tables_item_data.to_dict()
            tables.append(tables_item)

        hidden = self.hidden

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "start": start,
                "end": end,
                "kinds": kinds,
                "without_where": without_where,
                "tables": tables,
                "hidden": hidden,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.reviewed_table_view import ReviewedTableView

        d = dict(src_dict)
        start = d.pop("start")

        end = d.pop("end")

        kinds = cast(list[str], d.pop("kinds"))

        without_where = d.pop("without_where")

        tables = []
        _tables = d.pop("tables")
        for tables_item_data in _tables:
            tables_item = ReviewedTableView.from_dict(tables_item_data)

            tables.append(tables_item)

        hidden = cast(list[str], d.pop("hidden"))

        reviewed_statement_view = cls(
            start=start,
            end=end,
            kinds=kinds,
            without_where=without_where,
            tables=tables,
            hidden=hidden,
        )

        reviewed_statement_view.additional_properties = d
        return reviewed_statement_view

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
