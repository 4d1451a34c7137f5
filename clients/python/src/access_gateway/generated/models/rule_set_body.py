from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.rule_entry_body import RuleEntryBody


T = TypeVar("T", bound="RuleSetBody")


@_attrs_define
class RuleSetBody:
    """
    Attributes:
        rules (list[RuleEntryBody]):
    """

    rules: list[RuleEntryBody]

    def to_dict(self) -> dict[str, Any]:
        rules = []
        for rules_item_data in self.rules:
            rules_item = rules_item_data.to_dict()
            rules.append(rules_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "rules": rules,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.rule_entry_body import RuleEntryBody

        d = dict(src_dict)
        rules = []
        _rules = d.pop("rules")
        for rules_item_data in _rules:
            rules_item = RuleEntryBody.from_dict(rules_item_data)

            rules.append(rules_item)

        rule_set_body = cls(
            rules=rules,
        )

        return rule_set_body
