from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.script_result_view_kind import ScriptResultViewKind

T = TypeVar("T", bound="ScriptResultView")


@_attrs_define
class ScriptResultView:
    """
    Attributes:
        kind (ScriptResultViewKind): `rows`: a line of names, then a line for each row, in the text format of COPY;
            `command`: what a statement without rows says; `text`: the output of COPY and of servers, and what no statement
            can be named for; `message`: notices and errors.
        output (str):  Example: id	name
            1	Grace
            .
        truncated (bool): Whether `output` is not all: it was cut, or the statement did not end.
    """

    kind: ScriptResultViewKind
    output: str
    truncated: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind.value

        output = self.output

        truncated = self.truncated

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "kind": kind,
                "output": output,
                "truncated": truncated,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        kind = ScriptResultViewKind(d.pop("kind"))

        output = d.pop("output")

        truncated = d.pop("truncated")

        script_result_view = cls(
            kind=kind,
            output=output,
            truncated=truncated,
        )

        script_result_view.additional_properties = d
        return script_result_view

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
