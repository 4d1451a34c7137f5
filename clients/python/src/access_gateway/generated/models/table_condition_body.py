from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.table_condition_body_access import TableConditionBodyAccess

T = TypeVar("T", bound="TableConditionBody")


@_attrs_define
class TableConditionBody:
    """
    Attributes:
        name (str): `table` or `schema.table`, as SQL writes it.
        access (TableConditionBodyAccess): Which access is denied.
    """

    name: str
    access: TableConditionBodyAccess

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        access = self.access.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "access": access,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        name = d.pop("name")

        access = TableConditionBodyAccess(d.pop("access"))

        table_condition_body = cls(
            name=name,
            access=access,
        )

        return table_condition_body
