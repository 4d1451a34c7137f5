from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.effective_policy_view_outcome import EffectivePolicyViewOutcome

if TYPE_CHECKING:
    from ..models.applied_access_rule_view import AppliedAccessRuleView
    from ..models.applied_guardrail_view import AppliedGuardrailView
    from ..models.reason_view import ReasonView


T = TypeVar("T", bound="EffectivePolicyView")


@_attrs_define
class EffectivePolicyView:
    """
    Attributes:
        connection (str): Name of the connection.
        user (str): Subject identifier of the user.
        outcome (EffectivePolicyViewOutcome):
        reasons (list[ReasonView]): The reasons for the decision, then settings without effect because a feature is off.
        guardrails (list[AppliedGuardrailView]): Shown to auditors and admins; empty for others.
        access_rules (list[AppliedAccessRuleView]): Shown to auditors and admins; empty for others, to whom `reasons`
            name the rules that ask.
        reviewers_groups (list[str]): Groups that would be asked when a review is needed.
        target_role (None | str): The role of the target as which the user's sessions would act (`ROLE` in the secret).
            Null: they act as the connection's account, or the user has no role there. Example: app_analytics.
    """

    connection: str
    user: str
    outcome: EffectivePolicyViewOutcome
    reasons: list[ReasonView]
    guardrails: list[AppliedGuardrailView]
    access_rules: list[AppliedAccessRuleView]
    reviewers_groups: list[str]
    target_role: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        connection = self.connection

        user = self.user

        outcome = self.outcome.value

        reasons = []
        for reasons_item_data in self.reasons:
            reasons_item = reasons_item_data.to_dict()
            reasons.append(reasons_item)

        guardrails = []
        for guardrails_item_data in self.guardrails:
            guardrails_item = guardrails_item_data.to_dict()
            guardrails.append(guardrails_item)

        access_rules = []
        for access_rules_item_data in self.access_rules:
            access_rules_item = access_rules_item_data.to_dict()
            access_rules.append(access_rules_item)

        reviewers_groups = self.reviewers_groups

        target_role: None | str
        target_role = self.target_role

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "connection": connection,
                "user": user,
                "outcome": outcome,
                "reasons": reasons,
                "guardrails": guardrails,
                "access_rules": access_rules,
                "reviewers_groups": reviewers_groups,
                "target_role": target_role,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.applied_access_rule_view import AppliedAccessRuleView
        from ..models.applied_guardrail_view import AppliedGuardrailView
        from ..models.reason_view import ReasonView

        d = dict(src_dict)
        connection = d.pop("connection")

        user = d.pop("user")

        outcome = EffectivePolicyViewOutcome(d.pop("outcome"))

        reasons = []
        _reasons = d.pop("reasons")
        for reasons_item_data in _reasons:
            reasons_item = ReasonView.from_dict(reasons_item_data)

            reasons.append(reasons_item)

        guardrails = []
        _guardrails = d.pop("guardrails")
        for guardrails_item_data in _guardrails:
            guardrails_item = AppliedGuardrailView.from_dict(guardrails_item_data)

            guardrails.append(guardrails_item)

        access_rules = []
        _access_rules = d.pop("access_rules")
        for access_rules_item_data in _access_rules:
            access_rules_item = AppliedAccessRuleView.from_dict(access_rules_item_data)

            access_rules.append(access_rules_item)

        reviewers_groups = cast(list[str], d.pop("reviewers_groups"))

        def _parse_target_role(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        target_role = _parse_target_role(d.pop("target_role"))

        effective_policy_view = cls(
            connection=connection,
            user=user,
            outcome=outcome,
            reasons=reasons,
            guardrails=guardrails,
            access_rules=access_rules,
            reviewers_groups=reviewers_groups,
            target_role=target_role,
        )

        effective_policy_view.additional_properties = d
        return effective_policy_view

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
