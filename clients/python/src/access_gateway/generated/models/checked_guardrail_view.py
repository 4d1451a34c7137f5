from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.checked_guardrail_view_sidecar_spec import (
        CheckedGuardrailViewSidecarSpec,
    )
    from ..models.rule_set_view import RuleSetView
    from ..models.sidecar_target_view import SidecarTargetView


T = TypeVar("T", bound="CheckedGuardrailView")


@_attrs_define
class CheckedGuardrailView:
    """
    Attributes:
        id (UUID): Resource identifier.
        name (str): Unique name of the rule. Example: no-drops.
        description (str): Rule description.
        attributes (list[str]): Attributes associated with the rule.
        connection_ids (list[UUID]): Connections the rule applies to.
        input_ (RuleSetView):
        output (RuleSetView):
        managed_by (None | str): Set to `gateway` when a protection profile manages the rule, which is then read-only.
        created_at (datetime.datetime): Creation time.
        updated_at (datetime.datetime): Last update time.
        warnings (list[str]): Possible mistakes: entries that have no effect on connections that the rule applies to.
            Example: ['entries that name arguments of tool calls (input.rules 0) have no effect on orders'].
        sidecar_spec (CheckedGuardrailViewSidecarSpec | Unset): The rule in the sidecar’s own vocabulary. Absent: this
            service distributes no rules to sidecars.
        sidecar_targets (list[SidecarTargetView] | Unset): Sidecar listeners the rule is bound to. Absent: this service
            distributes no rules to sidecars.
    """

    id: UUID
    name: str
    description: str
    attributes: list[str]
    connection_ids: list[UUID]
    input_: RuleSetView
    output: RuleSetView
    managed_by: None | str
    created_at: datetime.datetime
    updated_at: datetime.datetime
    warnings: list[str]
    sidecar_spec: CheckedGuardrailViewSidecarSpec | Unset = UNSET
    sidecar_targets: list[SidecarTargetView] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = str(self.id)

        name = self.name

        description = self.description

        attributes = self.attributes

        connection_ids = []
        for connection_ids_item_data in self.connection_ids:
            connection_ids_item = str(connection_ids_item_data)
            connection_ids.append(connection_ids_item)

        input_ = self.input_.to_dict()

        output = self.output.to_dict()

        managed_by: None | str
        managed_by = self.managed_by

        created_at = self.created_at.isoformat()

        updated_at = self.updated_at.isoformat()

        warnings = self.warnings

        sidecar_spec: dict[str, Any] | Unset = UNSET
        if not isinstance(self.sidecar_spec, Unset):
            sidecar_spec = self.sidecar_spec.to_dict()

        sidecar_targets: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.sidecar_targets, Unset):
            sidecar_targets = []
            for sidecar_targets_item_data in self.sidecar_targets:
                sidecar_targets_item = sidecar_targets_item_data.to_dict()
                sidecar_targets.append(sidecar_targets_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "description": description,
                "attributes": attributes,
                "connection_ids": connection_ids,
                "input": input_,
                "output": output,
                "managed_by": managed_by,
                "created_at": created_at,
                "updated_at": updated_at,
                "warnings": warnings,
            }
        )
        if sidecar_spec is not UNSET:
            field_dict["sidecar_spec"] = sidecar_spec
        if sidecar_targets is not UNSET:
            field_dict["sidecar_targets"] = sidecar_targets

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.checked_guardrail_view_sidecar_spec import (
            CheckedGuardrailViewSidecarSpec,
        )
        from ..models.rule_set_view import RuleSetView
        from ..models.sidecar_target_view import SidecarTargetView

        d = dict(src_dict)
        id = UUID(d.pop("id"))

        name = d.pop("name")

        description = d.pop("description")

        attributes = cast(list[str], d.pop("attributes"))

        connection_ids = []
        _connection_ids = d.pop("connection_ids")
        for connection_ids_item_data in _connection_ids:
            connection_ids_item = UUID(connection_ids_item_data)

            connection_ids.append(connection_ids_item)

        input_ = RuleSetView.from_dict(d.pop("input"))

        output = RuleSetView.from_dict(d.pop("output"))

        def _parse_managed_by(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        managed_by = _parse_managed_by(d.pop("managed_by"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at"))

        warnings = cast(list[str], d.pop("warnings"))

        _sidecar_spec = d.pop("sidecar_spec", UNSET)
        sidecar_spec: CheckedGuardrailViewSidecarSpec | Unset
        if isinstance(_sidecar_spec, Unset):
            sidecar_spec = UNSET
        else:
            sidecar_spec = CheckedGuardrailViewSidecarSpec.from_dict(_sidecar_spec)

        _sidecar_targets = d.pop("sidecar_targets", UNSET)
        sidecar_targets: list[SidecarTargetView] | Unset = UNSET
        if _sidecar_targets is not UNSET:
            sidecar_targets = []
            for sidecar_targets_item_data in _sidecar_targets:
                sidecar_targets_item = SidecarTargetView.from_dict(sidecar_targets_item_data)

                sidecar_targets.append(sidecar_targets_item)

        checked_guardrail_view = cls(
            id=id,
            name=name,
            description=description,
            attributes=attributes,
            connection_ids=connection_ids,
            input_=input_,
            output=output,
            managed_by=managed_by,
            created_at=created_at,
            updated_at=updated_at,
            warnings=warnings,
            sidecar_spec=sidecar_spec,
            sidecar_targets=sidecar_targets,
        )

        checked_guardrail_view.additional_properties = d
        return checked_guardrail_view

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
