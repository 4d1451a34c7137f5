from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.reviewed_statement_view import ReviewedStatementView


T = TypeVar("T", bound="ReviewedScriptViewType0")


@_attrs_define
class ReviewedScriptViewType0:
    """
    Attributes:
        total (int): How many statements it has.
        statements (list[ReviewedStatementView]): The first 100.
        fault (None | str): Why it cannot be read; null when it can.
    """

    total: int
    statements: list[ReviewedStatementView]
    fault: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        total = self.total

        statements = []
        for statements_item_data in self.statements:
            statements_item = statements_item_data.to_dict()
            statements.append(statements_item)

        fault: None | str
        fault = self.fault

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "total": total,
                "statements": statements,
                "fault": fault,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.reviewed_statement_view import ReviewedStatementView

        d = dict(src_dict)
        total = d.pop("total")

        statements = []
        _statements = d.pop("statements")
        for statements_item_data in _statements:
            statements_item = ReviewedStatementView.from_dict(statements_item_data)

            statements.append(statements_item)

        def _parse_fault(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        fault = _parse_fault(d.pop("fault"))

        reviewed_script_view_type_0 = cls(
            total=total,
            statements=statements,
            fault=fault,
        )

        reviewed_script_view_type_0.additional_properties = d
        return reviewed_script_view_type_0

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
