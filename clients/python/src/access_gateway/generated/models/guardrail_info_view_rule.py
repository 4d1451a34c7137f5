from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="GuardrailInfoViewRule")


@_attrs_define
class GuardrailInfoViewRule:
    """The stored entry with all its keys.

    Attributes:
        type_ (str | Unset): Rule kind. Example: deny_words_list.
        words (list[str] | Unset):
        pattern_regex (str | Unset):
    """

    type_: str | Unset = UNSET
    words: list[str] | Unset = UNSET
    pattern_regex: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        type_ = self.type_

        words: list[str] | Unset = UNSET
        if not isinstance(self.words, Unset):
            words = self.words

        pattern_regex = self.pattern_regex

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if type_ is not UNSET:
            field_dict["type"] = type_
        if words is not UNSET:
            field_dict["words"] = words
        if pattern_regex is not UNSET:
            field_dict["pattern_regex"] = pattern_regex

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        type_ = d.pop("type", UNSET)

        words = cast(list[str], d.pop("words", UNSET))

        pattern_regex = d.pop("pattern_regex", UNSET)

        guardrail_info_view_rule = cls(
            type_=type_,
            words=words,
            pattern_regex=pattern_regex,
        )

        guardrail_info_view_rule.additional_properties = d
        return guardrail_info_view_rule

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
