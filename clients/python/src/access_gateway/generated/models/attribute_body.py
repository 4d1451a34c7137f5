from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="AttributeBody")


@_attrs_define
class AttributeBody:
    """
    Attributes:
        name (str): Unique name. Example: pii.
        description (str | Unset): Free text. Default: empty. Example: Kept by the data team..
        connection_names (list[str] | Unset): Connections with the attribute. A new attribute is added to them. Later
            the list must be unchanged: change the attributes of the connections instead.
        guardrail_names (list[str] | Unset): Guardrail rules with the attribute. The list must be unchanged: change the
            attributes of the rules instead.
        access_rule_names (list[str] | Unset): Access request rules with the attribute. The list must be unchanged:
            change the attributes of the rules instead.
    """

    name: str
    description: str | Unset = UNSET
    connection_names: list[str] | Unset = UNSET
    guardrail_names: list[str] | Unset = UNSET
    access_rule_names: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        description = self.description

        connection_names: list[str] | Unset = UNSET
        if not isinstance(self.connection_names, Unset):
            connection_names = self.connection_names

        guardrail_names: list[str] | Unset = UNSET
        if not isinstance(self.guardrail_names, Unset):
            guardrail_names = self.guardrail_names

        access_rule_names: list[str] | Unset = UNSET
        if not isinstance(self.access_rule_names, Unset):
            access_rule_names = self.access_rule_names

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
            }
        )
        if description is not UNSET:
            field_dict["description"] = description
        if connection_names is not UNSET:
            field_dict["connection_names"] = connection_names
        if guardrail_names is not UNSET:
            field_dict["guardrail_names"] = guardrail_names
        if access_rule_names is not UNSET:
            field_dict["access_rule_names"] = access_rule_names

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        name = d.pop("name")

        description = d.pop("description", UNSET)

        connection_names = cast(list[str], d.pop("connection_names", UNSET))

        guardrail_names = cast(list[str], d.pop("guardrail_names", UNSET))

        access_rule_names = cast(list[str], d.pop("access_rule_names", UNSET))

        attribute_body = cls(
            name=name,
            description=description,
            connection_names=connection_names,
            guardrail_names=guardrail_names,
            access_rule_names=access_rule_names,
        )

        return attribute_body
