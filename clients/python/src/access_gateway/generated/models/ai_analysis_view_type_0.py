from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.ai_analysis_view_type_0_action import AiAnalysisViewType0Action
from ..models.ai_analysis_view_type_0_risk_level import AiAnalysisViewType0RiskLevel

T = TypeVar("T", bound="AiAnalysisViewType0")


@_attrs_define
class AiAnalysisViewType0:
    """
    Attributes:
        action (AiAnalysisViewType0Action):
        explanation (str):
        risk_level (AiAnalysisViewType0RiskLevel):
        title (str):
    """

    action: AiAnalysisViewType0Action
    explanation: str
    risk_level: AiAnalysisViewType0RiskLevel
    title: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        action = self.action.value

        explanation = self.explanation

        risk_level = self.risk_level.value

        title = self.title

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "action": action,
                "explanation": explanation,
                "risk_level": risk_level,
                "title": title,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        action = AiAnalysisViewType0Action(d.pop("action"))

        explanation = d.pop("explanation")

        risk_level = AiAnalysisViewType0RiskLevel(d.pop("risk_level"))

        title = d.pop("title")

        ai_analysis_view_type_0 = cls(
            action=action,
            explanation=explanation,
            risk_level=risk_level,
            title=title,
        )

        ai_analysis_view_type_0.additional_properties = d
        return ai_analysis_view_type_0

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
