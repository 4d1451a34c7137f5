from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.rule_set_body import RuleSetBody


T = TypeVar("T", bound="GuardrailBody")


@_attrs_define
class GuardrailBody:
    """
    Attributes:
        name (str): Unique name of the rule. Example: no-drops.
        description (str | Unset): Free text. Default: empty. Example: Kept by the data team..
        input_ (RuleSetBody | Unset):
        output (RuleSetBody | Unset):
        attributes (list[str] | Unset): The rule applies to connections that share one of these. Default: none. Example:
            ['pii'].
        connection_ids (list[UUID] | Unset): Connections that the rule applies to. Default: none.
    """

    name: str
    description: str | Unset = UNSET
    input_: RuleSetBody | Unset = UNSET
    output: RuleSetBody | Unset = UNSET
    attributes: list[str] | Unset = UNSET
    connection_ids: list[UUID] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        description = self.description

        input_: dict[str, Any] | Unset = UNSET
        if not isinstance(self.input_, Unset):
            input_ = self.input_.to_dict()

        output: dict[str, Any] | Unset = UNSET
        if not isinstance(self.output, Unset):
            output = self.output.to_dict()

        attributes: list[str] | Unset = UNSET
        if not isinstance(self.attributes, Unset):
            attributes = self.attributes

        connection_ids: list[str] | Unset = UNSET
        if not isinstance(self.connection_ids, Unset):
            connection_ids = []
            for connection_ids_item_data in self.connection_ids:
                connection_ids_item = str(connection_ids_item_data)
                connection_ids.append(connection_ids_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
            }
        )
        if description is not UNSET:
            field_dict["description"] = description
        if input_ is not UNSET:
            field_dict["input"] = input_
        if output is not UNSET:
            field_dict["output"] = output
        if attributes is not UNSET:
            field_dict["attributes"] = attributes
        if connection_ids is not UNSET:
            field_dict["connection_ids"] = connection_ids

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.rule_set_body import RuleSetBody

        d = dict(src_dict)
        name = d.pop("name")

        description = d.pop("description", UNSET)

        _input_ = d.pop("input", UNSET)
        input_: RuleSetBody | Unset
        if isinstance(_input_, Unset):
            input_ = UNSET
        else:
            input_ = RuleSetBody.from_dict(_input_)

        _output = d.pop("output", UNSET)
        output: RuleSetBody | Unset
        if isinstance(_output, Unset):
            output = UNSET
        else:
            output = RuleSetBody.from_dict(_output)

        attributes = cast(list[str], d.pop("attributes", UNSET))

        _connection_ids = d.pop("connection_ids", UNSET)
        connection_ids: list[UUID] | Unset = UNSET
        if _connection_ids is not UNSET:
            connection_ids = []
            for connection_ids_item_data in _connection_ids:
                connection_ids_item = UUID(connection_ids_item_data)

                connection_ids.append(connection_ids_item)

        guardrail_body = cls(
            name=name,
            description=description,
            input_=input_,
            output=output,
            attributes=attributes,
            connection_ids=connection_ids,
        )

        return guardrail_body
