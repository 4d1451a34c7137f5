from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="MissingApprovalView")


@_attrs_define
class MissingApprovalView:
    """
    Attributes:
        rule (str): Name of the rule. Example: prod-databases.
        approvals (int): How many more people have to approve, at least.
        groups (list[str]): Groups whose members count.
        each_of (list[str]): Groups each of which has to approve still.
        one_of (list[str]): Groups of which one has to approve still; empty: no matter which.
    """

    rule: str
    approvals: int
    groups: list[str]
    each_of: list[str]
    one_of: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        rule = self.rule

        approvals = self.approvals

        groups = self.groups

        each_of = self.each_of

        one_of = self.one_of

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "rule": rule,
                "approvals": approvals,
                "groups": groups,
                "each_of": each_of,
                "one_of": one_of,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        rule = d.pop("rule")

        approvals = d.pop("approvals")

        groups = cast(list[str], d.pop("groups"))

        each_of = cast(list[str], d.pop("each_of"))

        one_of = cast(list[str], d.pop("one_of"))

        missing_approval_view = cls(
            rule=rule,
            approvals=approvals,
            groups=groups,
            each_of=each_of,
            one_of=one_of,
        )

        missing_approval_view.additional_properties = d
        return missing_approval_view

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
