from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.dry_run_hit_view_action import DryRunHitViewAction

T = TypeVar("T", bound="DryRunHitView")


@_attrs_define
class DryRunHitView:
    """
    Attributes:
        message (str): What the person would be told.
        rule_name (str):
        entry (int): Index of the entry in its rule set, from 0.
        start (int): Where the match begins, in UTF-16 code units.
        end (int): Where the match ends, in UTF-16 code units.
        matched (str): The matched text, up to 256 characters; or the forbidden fact.
        action (DryRunHitViewAction): What the entry does with the match.
    """

    message: str
    rule_name: str
    entry: int
    start: int
    end: int
    matched: str
    action: DryRunHitViewAction
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        message = self.message

        rule_name = self.rule_name

        entry = self.entry

        start = self.start

        end = self.end

        matched = self.matched

        action = self.action.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "message": message,
                "rule_name": rule_name,
                "entry": entry,
                "start": start,
                "end": end,
                "matched": matched,
                "action": action,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        message = d.pop("message")

        rule_name = d.pop("rule_name")

        entry = d.pop("entry")

        start = d.pop("start")

        end = d.pop("end")

        matched = d.pop("matched")

        action = DryRunHitViewAction(d.pop("action"))

        dry_run_hit_view = cls(
            message=message,
            rule_name=rule_name,
            entry=entry,
            start=start,
            end=end,
            matched=matched,
            action=action,
        )

        dry_run_hit_view.additional_properties = d
        return dry_run_hit_view

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
