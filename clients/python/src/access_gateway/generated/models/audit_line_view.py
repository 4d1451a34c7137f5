from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.audit_line_view_action import AuditLineViewAction
from ..models.audit_line_view_outcome import AuditLineViewOutcome

if TYPE_CHECKING:
    from ..models.audit_actor_view import AuditActorView
    from ..models.field_change_view import FieldChangeView


T = TypeVar("T", bound="AuditLineView")


@_attrs_define
class AuditLineView:
    """
    Attributes:
        seq (int): Number of the line in the chain, from 1.
        created_at (datetime.datetime):
        actor (AuditActorView):
        action (AuditLineViewAction):
        resource_type (str):  Example: guardrails.
        resource_id (str): Identifier or name of the resource; empty when there is none.
        outcome (AuditLineViewOutcome):
        status (int): HTTP status of the answer.
        client_address (str): Network address of the caller.
        request_id (str):
        changes (list[FieldChangeView]):
        hash_ (str): SHA-256 over this line and the previous hash.
    """

    seq: int
    created_at: datetime.datetime
    actor: AuditActorView
    action: AuditLineViewAction
    resource_type: str
    resource_id: str
    outcome: AuditLineViewOutcome
    status: int
    client_address: str
    request_id: str
    changes: list[FieldChangeView]
    hash_: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        seq = self.seq

        created_at = self.created_at.isoformat()

        actor = self.actor.to_dict()

        action = self.action.value

        resource_type = self.resource_type

        resource_id = self.resource_id

        outcome = self.outcome.value

        status = self.status

        client_address = self.client_address

        request_id = self.request_id

        changes = []
        for changes_item_data in self.changes:
            changes_item = changes_item_data.to_dict()
            changes.append(changes_item)

        hash_ = self.hash_

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "seq": seq,
                "created_at": created_at,
                "actor": actor,
                "action": action,
                "resource_type": resource_type,
                "resource_id": resource_id,
                "outcome": outcome,
                "status": status,
                "client_address": client_address,
                "request_id": request_id,
                "changes": changes,
                "hash": hash_,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.audit_actor_view import AuditActorView
        from ..models.field_change_view import FieldChangeView

        d = dict(src_dict)
        seq = d.pop("seq")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        actor = AuditActorView.from_dict(d.pop("actor"))

        action = AuditLineViewAction(d.pop("action"))

        resource_type = d.pop("resource_type")

        resource_id = d.pop("resource_id")

        outcome = AuditLineViewOutcome(d.pop("outcome"))

        status = d.pop("status")

        client_address = d.pop("client_address")

        request_id = d.pop("request_id")

        changes = []
        _changes = d.pop("changes")
        for changes_item_data in _changes:
            changes_item = FieldChangeView.from_dict(changes_item_data)

            changes.append(changes_item)

        hash_ = d.pop("hash")

        audit_line_view = cls(
            seq=seq,
            created_at=created_at,
            actor=actor,
            action=action,
            resource_type=resource_type,
            resource_id=resource_id,
            outcome=outcome,
            status=status,
            client_address=client_address,
            request_id=request_id,
            changes=changes,
            hash_=hash_,
        )

        audit_line_view.additional_properties = d
        return audit_line_view

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
