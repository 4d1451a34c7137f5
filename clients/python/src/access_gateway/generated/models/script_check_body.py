from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ScriptCheckBody")


@_attrs_define
class ScriptCheckBody:
    """
    Attributes:
        script (str):  Example: DROP TABLE customers.
    """

    script: str

    def to_dict(self) -> dict[str, Any]:
        script = self.script

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "script": script,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        script = d.pop("script")

        script_check_body = cls(
            script=script,
        )

        return script_check_body
