from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.guardrail_info_view_direction import GuardrailInfoViewDirection
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.guardrail_info_view_rule import GuardrailInfoViewRule
    from ..models.match_view import MatchView


T = TypeVar("T", bound="GuardrailInfoView")


@_attrs_define
class GuardrailInfoView:
    """
    Attributes:
        direction (GuardrailInfoViewDirection):
        message (str): What the person was told.
        rule_id (UUID | Unset): The rule, as `GET /guardrails/{id}` knows it.
        rule_name (str | Unset): What the rule was called. Example: no-drops.
        entry (int | Unset): Place of the entry in its rule set, from 0.
        rule (GuardrailInfoViewRule | Unset): The stored entry with all its keys.
        matched_words (list[str] | Unset):
        matches (list[MatchView] | Unset):
        fault (str | Unset): Why the rule could not be applied, where that refused the input.
    """

    direction: GuardrailInfoViewDirection
    message: str
    rule_id: UUID | Unset = UNSET
    rule_name: str | Unset = UNSET
    entry: int | Unset = UNSET
    rule: GuardrailInfoViewRule | Unset = UNSET
    matched_words: list[str] | Unset = UNSET
    matches: list[MatchView] | Unset = UNSET
    fault: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        direction = self.direction.value

        message = self.message

        rule_id: str | Unset = UNSET
        if not isinstance(self.rule_id, Unset):
            rule_id = str(self.rule_id)

        rule_name = self.rule_name

        entry = self.entry

        rule: dict[str, Any] | Unset = UNSET
        if not isinstance(self.rule, Unset):
            rule = self.rule.to_dict()

        matched_words: list[str] | Unset = UNSET
        if not isinstance(self.matched_words, Unset):
            matched_words = self.matched_words

        matches: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.matches, Unset):
            matches = []
            for matches_item_data in self.matches:
                matches_item = matches_item_data.to_dict()
                matches.append(matches_item)

        fault = self.fault

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "direction": direction,
                "message": message,
            }
        )
        if rule_id is not UNSET:
            field_dict["rule_id"] = rule_id
        if rule_name is not UNSET:
            field_dict["rule_name"] = rule_name
        if entry is not UNSET:
            field_dict["entry"] = entry
        if rule is not UNSET:
            field_dict["rule"] = rule
        if matched_words is not UNSET:
            field_dict["matched_words"] = matched_words
        if matches is not UNSET:
            field_dict["matches"] = matches
        if fault is not UNSET:
            field_dict["fault"] = fault

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.guardrail_info_view_rule import GuardrailInfoViewRule
        from ..models.match_view import MatchView

        d = dict(src_dict)
        direction = GuardrailInfoViewDirection(d.pop("direction"))

        message = d.pop("message")

        _rule_id = d.pop("rule_id", UNSET)
        rule_id: UUID | Unset
        if isinstance(_rule_id, Unset):
            rule_id = UNSET
        else:
            rule_id = UUID(_rule_id)

        rule_name = d.pop("rule_name", UNSET)

        entry = d.pop("entry", UNSET)

        _rule = d.pop("rule", UNSET)
        rule: GuardrailInfoViewRule | Unset
        if isinstance(_rule, Unset):
            rule = UNSET
        else:
            rule = GuardrailInfoViewRule.from_dict(_rule)

        matched_words = cast(list[str], d.pop("matched_words", UNSET))

        _matches = d.pop("matches", UNSET)
        matches: list[MatchView] | Unset = UNSET
        if _matches is not UNSET:
            matches = []
            for matches_item_data in _matches:
                matches_item = MatchView.from_dict(matches_item_data)

                matches.append(matches_item)

        fault = d.pop("fault", UNSET)

        guardrail_info_view = cls(
            direction=direction,
            message=message,
            rule_id=rule_id,
            rule_name=rule_name,
            entry=entry,
            rule=rule,
            matched_words=matched_words,
            matches=matches,
            fault=fault,
        )

        guardrail_info_view.additional_properties = d
        return guardrail_info_view

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
