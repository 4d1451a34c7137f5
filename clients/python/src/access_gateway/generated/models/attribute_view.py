from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="AttributeView")


@_attrs_define
class AttributeView:
    """
    Attributes:
        name (str):  Example: pii.
        description (str):
        connection_names (list[str]):
        guardrail_names (list[str]):
        access_rule_names (list[str]):
        created_at (datetime.datetime):
        updated_at (datetime.datetime):
    """

    name: str
    description: str
    connection_names: list[str]
    guardrail_names: list[str]
    access_rule_names: list[str]
    created_at: datetime.datetime
    updated_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        description = self.description

        connection_names = self.connection_names

        guardrail_names = self.guardrail_names

        access_rule_names = self.access_rule_names

        created_at = self.created_at.isoformat()

        updated_at = self.updated_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "description": description,
                "connection_names": connection_names,
                "guardrail_names": guardrail_names,
                "access_rule_names": access_rule_names,
                "created_at": created_at,
                "updated_at": updated_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        name = d.pop("name")

        description = d.pop("description")

        connection_names = cast(list[str], d.pop("connection_names"))

        guardrail_names = cast(list[str], d.pop("guardrail_names"))

        access_rule_names = cast(list[str], d.pop("access_rule_names"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at"))

        attribute_view = cls(
            name=name,
            description=description,
            connection_names=connection_names,
            guardrail_names=guardrail_names,
            access_rule_names=access_rule_names,
            created_at=created_at,
            updated_at=updated_at,
        )

        attribute_view.additional_properties = d
        return attribute_view

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
