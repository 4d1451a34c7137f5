from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="ScriptFindingView")


@_attrs_define
class ScriptFindingView:
    """
    Attributes:
        message (str): What the person would be told.
        rule_name (str | Unset): The rule. For admins.
        entry (int | Unset): Index of the entry in its rule set, from 0. For admins.
        start (int | Unset): Where the match begins, in UTF-16 code units. For admins.
        end (int | Unset): Where the match ends, in UTF-16 code units. For admins.
    """

    message: str
    rule_name: str | Unset = UNSET
    entry: int | Unset = UNSET
    start: int | Unset = UNSET
    end: int | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        message = self.message

        rule_name = self.rule_name

        entry = self.entry

        start = self.start

        end = self.end

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "message": message,
            }
        )
        if rule_name is not UNSET:
            field_dict["rule_name"] = rule_name
        if entry is not UNSET:
            field_dict["entry"] = entry
        if start is not UNSET:
            field_dict["start"] = start
        if end is not UNSET:
            field_dict["end"] = end

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        message = d.pop("message")

        rule_name = d.pop("rule_name", UNSET)

        entry = d.pop("entry", UNSET)

        start = d.pop("start", UNSET)

        end = d.pop("end", UNSET)

        script_finding_view = cls(
            message=message,
            rule_name=rule_name,
            entry=entry,
            start=start,
            end=end,
        )

        script_finding_view.additional_properties = d
        return script_finding_view

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
