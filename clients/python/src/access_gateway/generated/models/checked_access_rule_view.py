from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.checked_access_rule_view_access_type import (
    CheckedAccessRuleViewAccessType,
)

T = TypeVar("T", bound="CheckedAccessRuleView")


@_attrs_define
class CheckedAccessRuleView:
    """
    Attributes:
        id (UUID): Resource identifier.
        name (str): Rule name. Example: prod-databases.
        description (str): Rule description.
        access_type (CheckedAccessRuleViewAccessType): Kind of access the rule grants.
        access_max_duration (int | None): Maximum access duration in seconds; null means 172800.
        all_groups_must_approve (bool): Whether every approval-required group must approve.
        approval_required_groups (list[str]): Groups whose approval is required.
        reviewers_groups (list[str]): Groups that may review.
        force_approval_groups (list[str]): Groups that may force an approval.
        skip_review_groups (list[str]): Groups that need no review.
        min_approvals (int | None): Minimum number of people who approve.
        reason_required (bool): Whether requests for access must give a `reason`.
        attributes (list[str]): Attributes associated with the rule.
        connection_names (list[str]): Names of the connections the rule covers.
        managed_by (None | str): Set when a protection profile manages the rule.
        created_at (datetime.datetime): Creation time.
        updated_at (datetime.datetime): Last update time.
        warnings (list[str]): Possible mistakes: other kinds of access left open, unknown names, approvals that nobody
            can give. Example: ['connect stays open on pg-prod: no rule of type jit covers it'].
    """

    id: UUID
    name: str
    description: str
    access_type: CheckedAccessRuleViewAccessType
    access_max_duration: int | None
    all_groups_must_approve: bool
    approval_required_groups: list[str]
    reviewers_groups: list[str]
    force_approval_groups: list[str]
    skip_review_groups: list[str]
    min_approvals: int | None
    reason_required: bool
    attributes: list[str]
    connection_names: list[str]
    managed_by: None | str
    created_at: datetime.datetime
    updated_at: datetime.datetime
    warnings: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = str(self.id)

        name = self.name

        description = self.description

        access_type = self.access_type.value

        access_max_duration: int | None
        access_max_duration = self.access_max_duration

        all_groups_must_approve = self.all_groups_must_approve

        approval_required_groups = self.approval_required_groups

        reviewers_groups = self.reviewers_groups

        force_approval_groups = self.force_approval_groups

        skip_review_groups = self.skip_review_groups

        min_approvals: int | None
        min_approvals = self.min_approvals

        reason_required = self.reason_required

        attributes = self.attributes

        connection_names = self.connection_names

        managed_by: None | str
        managed_by = self.managed_by

        created_at = self.created_at.isoformat()

        updated_at = self.updated_at.isoformat()

        warnings = self.warnings

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "description": description,
                "access_type": access_type,
                "access_max_duration": access_max_duration,
                "all_groups_must_approve": all_groups_must_approve,
                "approval_required_groups": approval_required_groups,
                "reviewers_groups": reviewers_groups,
                "force_approval_groups": force_approval_groups,
                "skip_review_groups": skip_review_groups,
                "min_approvals": min_approvals,
                "reason_required": reason_required,
                "attributes": attributes,
                "connection_names": connection_names,
                "managed_by": managed_by,
                "created_at": created_at,
                "updated_at": updated_at,
                "warnings": warnings,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = UUID(d.pop("id"))

        name = d.pop("name")

        description = d.pop("description")

        access_type = CheckedAccessRuleViewAccessType(d.pop("access_type"))

        def _parse_access_max_duration(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        access_max_duration = _parse_access_max_duration(d.pop("access_max_duration"))

        all_groups_must_approve = d.pop("all_groups_must_approve")

        approval_required_groups = cast(list[str], d.pop("approval_required_groups"))

        reviewers_groups = cast(list[str], d.pop("reviewers_groups"))

        force_approval_groups = cast(list[str], d.pop("force_approval_groups"))

        skip_review_groups = cast(list[str], d.pop("skip_review_groups"))

        def _parse_min_approvals(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        min_approvals = _parse_min_approvals(d.pop("min_approvals"))

        reason_required = d.pop("reason_required")

        attributes = cast(list[str], d.pop("attributes"))

        connection_names = cast(list[str], d.pop("connection_names"))

        def _parse_managed_by(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        managed_by = _parse_managed_by(d.pop("managed_by"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at"))

        warnings = cast(list[str], d.pop("warnings"))

        checked_access_rule_view = cls(
            id=id,
            name=name,
            description=description,
            access_type=access_type,
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
            managed_by=managed_by,
            created_at=created_at,
            updated_at=updated_at,
            warnings=warnings,
        )

        checked_access_rule_view.additional_properties = d
        return checked_access_rule_view

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
