from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.script_check_view_verdict import ScriptCheckViewVerdict

if TYPE_CHECKING:
    from ..models.script_finding_view import ScriptFindingView


T = TypeVar("T", bound="ScriptCheckView")


@_attrs_define
class ScriptCheckView:
    """
    Attributes:
        verdict (ScriptCheckViewVerdict): `block`: the guardrails of the connection would block it. A rule about tables
            that a statement does not name is taken to hold; when the script runs, the target is asked.
        findings (list[ScriptFindingView]):
    """

    verdict: ScriptCheckViewVerdict
    findings: list[ScriptFindingView]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        verdict = self.verdict.value

        findings = []
        for findings_item_data in self.findings:
            findings_item = findings_item_data.to_dict()
            findings.append(findings_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "verdict": verdict,
                "findings": findings,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.script_finding_view import ScriptFindingView

        d = dict(src_dict)
        verdict = ScriptCheckViewVerdict(d.pop("verdict"))

        findings = []
        _findings = d.pop("findings")
        for findings_item_data in _findings:
            findings_item = ScriptFindingView.from_dict(findings_item_data)

            findings.append(findings_item)

        script_check_view = cls(
            verdict=verdict,
            findings=findings,
        )

        script_check_view.additional_properties = d
        return script_check_view

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
