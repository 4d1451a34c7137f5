from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar
from uuid import UUID

from attrs import define as _attrs_define

from ..models.dry_run_body_direction import DryRunBodyDirection
from ..models.dry_run_body_language import DryRunBodyLanguage
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.guardrail_body import GuardrailBody


T = TypeVar("T", bound="DryRunBody")


@_attrs_define
class DryRunBody:
    """
    Attributes:
        direction (DryRunBodyDirection):
        text (str):  Example: DROP TABLE customers.
        rule (GuardrailBody | Unset):
        rule_ids (list[UUID] | Unset): Stored rules. Default: none.
        language (DryRunBodyLanguage | Unset): What an input is written in: SQL, a shell script, or an operation on
            files as recordings have it. Default: DryRunBodyLanguage.POSTGRESQL.
        sessions (int | Unset): Also test this many of the last recorded sessions, and report which would have been
            blocked.
    """

    direction: DryRunBodyDirection
    text: str
    rule: GuardrailBody | Unset = UNSET
    rule_ids: list[UUID] | Unset = UNSET
    language: DryRunBodyLanguage | Unset = DryRunBodyLanguage.POSTGRESQL
    sessions: int | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        direction = self.direction.value

        text = self.text

        rule: dict[str, Any] | Unset = UNSET
        if not isinstance(self.rule, Unset):
            rule = self.rule.to_dict()

        rule_ids: list[str] | Unset = UNSET
        if not isinstance(self.rule_ids, Unset):
            rule_ids = []
            for rule_ids_item_data in self.rule_ids:
                rule_ids_item = str(rule_ids_item_data)
                rule_ids.append(rule_ids_item)

        language: str | Unset = UNSET
        if not isinstance(self.language, Unset):
            language = self.language.value

        sessions = self.sessions

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "direction": direction,
                "text": text,
            }
        )
        if rule is not UNSET:
            field_dict["rule"] = rule
        if rule_ids is not UNSET:
            field_dict["rule_ids"] = rule_ids
        if language is not UNSET:
            field_dict["language"] = language
        if sessions is not UNSET:
            field_dict["sessions"] = sessions

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.guardrail_body import GuardrailBody

        d = dict(src_dict)
        direction = DryRunBodyDirection(d.pop("direction"))

        text = d.pop("text")

        _rule = d.pop("rule", UNSET)
        rule: GuardrailBody | Unset
        if isinstance(_rule, Unset):
            rule = UNSET
        else:
            rule = GuardrailBody.from_dict(_rule)

        _rule_ids = d.pop("rule_ids", UNSET)
        rule_ids: list[UUID] | Unset = UNSET
        if _rule_ids is not UNSET:
            rule_ids = []
            for rule_ids_item_data in _rule_ids:
                rule_ids_item = UUID(rule_ids_item_data)

                rule_ids.append(rule_ids_item)

        _language = d.pop("language", UNSET)
        language: DryRunBodyLanguage | Unset
        if isinstance(_language, Unset):
            language = UNSET
        else:
            language = DryRunBodyLanguage(_language)

        sessions = d.pop("sessions", UNSET)

        dry_run_body = cls(
            direction=direction,
            text=text,
            rule=rule,
            rule_ids=rule_ids,
            language=language,
            sessions=sessions,
        )

        return dry_run_body
