from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.access_rule_body_access_type import AccessRuleBodyAccessType
from ..types import UNSET, Unset

T = TypeVar("T", bound="AccessRuleBody")


@_attrs_define
class AccessRuleBody:
    """
    Attributes:
        name (str): Unique name of the rule. Example: prod-databases.
        access_type (AccessRuleBodyAccessType): `jit`: time-boxed connect; `command`: each exec; `jit_command`: both.
        description (str | Unset): Free text. Default: empty. Example: Kept by the data team..
        access_max_duration (int | None | Unset): Longest access, in seconds; null means 172800. Example: 1800.
        all_groups_must_approve (bool | Unset): Whether every approval-required group must approve. Default: false.
        approval_required_groups (list[str] | Unset): Groups whose approval is required. Default: none. Example: [].
        reviewers_groups (list[str] | Unset): Groups that may review; at least one. Default: none. Example: ['dba'].
        force_approval_groups (list[str] | Unset): Groups that may force an approval. Default: none. Example:
            ['security'].
        skip_review_groups (list[str] | Unset): Groups that need no review; only while `approval_required_groups` is
            empty. Default: none. Example: [].
        min_approvals (int | None | Unset): Minimum number of people who approve; at least 1 unless all groups must
            approve. Example: 1.
        reason_required (bool | Unset): Whether requests for access must give a `reason`. Default: false.
        attributes (list[str] | Unset): The rule covers connections that share one of these. Default: none. Example:
            ['pii'].
        connection_names (list[str] | Unset): Names of the connections the rule covers. Default: none. Example: ['pg-
            prod'].
    """

    name: str
    access_type: AccessRuleBodyAccessType
    description: str | Unset = UNSET
    access_max_duration: int | None | Unset = UNSET
    all_groups_must_approve: bool | Unset = UNSET
    approval_required_groups: list[str] | Unset = UNSET
    reviewers_groups: list[str] | Unset = UNSET
    force_approval_groups: list[str] | Unset = UNSET
    skip_review_groups: list[str] | Unset = UNSET
    min_approvals: int | None | Unset = UNSET
    reason_required: bool | Unset = UNSET
    attributes: list[str] | Unset = UNSET
    connection_names: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        access_type = self.access_type.value

        description = self.description

        access_max_duration: int | None | Unset
        if isinstance(self.access_max_duration, Unset):
            access_max_duration = UNSET
        else:
            access_max_duration = self.access_max_duration

        all_groups_must_approve = self.all_groups_must_approve

        approval_required_groups: list[str] | Unset = UNSET
        if not isinstance(self.approval_required_groups, Unset):
            approval_required_groups = self.approval_required_groups

        reviewers_groups: list[str] | Unset = UNSET
        if not isinstance(self.reviewers_groups, Unset):
            reviewers_groups = self.reviewers_groups

        force_approval_groups: list[str] | Unset = UNSET
        if not isinstance(self.force_approval_groups, Unset):
            force_approval_groups = self.force_approval_groups

        skip_review_groups: list[str] | Unset = UNSET
        if not isinstance(self.skip_review_groups, Unset):
            skip_review_groups = self.skip_review_groups

        min_approvals: int | None | Unset
        if isinstance(self.min_approvals, Unset):
            min_approvals = UNSET
        else:
            min_approvals = self.min_approvals

        reason_required = self.reason_required

        attributes: list[str] | Unset = UNSET
        if not isinstance(self.attributes, Unset):
            attributes = self.attributes

        connection_names: list[str] | Unset = UNSET
        if not isinstance(self.connection_names, Unset):
            connection_names = self.connection_names

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "access_type": access_type,
            }
        )
        if description is not UNSET:
            field_dict["description"] = description
        if access_max_duration is not UNSET:
            field_dict["access_max_duration"] = access_max_duration
        if all_groups_must_approve is not UNSET:
            field_dict["all_groups_must_approve"] = all_groups_must_approve
        if approval_required_groups is not UNSET:
            field_dict["approval_required_groups"] = approval_required_groups
        if reviewers_groups is not UNSET:
            field_dict["reviewers_groups"] = reviewers_groups
        if force_approval_groups is not UNSET:
            field_dict["force_approval_groups"] = force_approval_groups
        if skip_review_groups is not UNSET:
            field_dict["skip_review_groups"] = skip_review_groups
        if min_approvals is not UNSET:
            field_dict["min_approvals"] = min_approvals
        if reason_required is not UNSET:
            field_dict["reason_required"] = reason_required
        if attributes is not UNSET:
            field_dict["attributes"] = attributes
        if connection_names is not UNSET:
            field_dict["connection_names"] = connection_names

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        name = d.pop("name")

        access_type = AccessRuleBodyAccessType(d.pop("access_type"))

        description = d.pop("description", UNSET)

        def _parse_access_max_duration(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        access_max_duration = _parse_access_max_duration(d.pop("access_max_duration", UNSET))

        all_groups_must_approve = d.pop("all_groups_must_approve", UNSET)

        approval_required_groups = cast(list[str], d.pop("approval_required_groups", UNSET))

        reviewers_groups = cast(list[str], d.pop("reviewers_groups", UNSET))

        force_approval_groups = cast(list[str], d.pop("force_approval_groups", UNSET))

        skip_review_groups = cast(list[str], d.pop("skip_review_groups", UNSET))

        def _parse_min_approvals(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        min_approvals = _parse_min_approvals(d.pop("min_approvals", UNSET))

        reason_required = d.pop("reason_required", UNSET)

        attributes = cast(list[str], d.pop("attributes", UNSET))

        connection_names = cast(list[str], d.pop("connection_names", UNSET))

        access_rule_body = cls(
            name=name,
            access_type=access_type,
            description=description,
            access_max_duration=access_max_duration,
            all_groups_must_approve=all_groups_must_approve,
            approval_required_groups=approval_required_groups,
            reviewers_groups=reviewers_groups,
            force_approval_groups=force_approval_groups,
            skip_review_groups=skip_review_groups,
            min_approvals=min_approvals,
            reason_required=reason_required,
            attributes=attributes,
            connection_names=connection_names,
        )

        return access_rule_body
