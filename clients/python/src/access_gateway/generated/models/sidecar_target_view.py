from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="SidecarTargetView")


@_attrs_define
class SidecarTargetView:
    """
    Attributes:
        listener_name (str):
        sidecar_id (UUID):
    """

    listener_name: str
    sidecar_id: UUID
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        listener_name = self.listener_name

        sidecar_id = str(self.sidecar_id)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "listener_name": listener_name,
                "sidecar_id": sidecar_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        listener_name = d.pop("listener_name")

        sidecar_id = UUID(d.pop("sidecar_id"))

        sidecar_target_view = cls(
            listener_name=listener_name,
            sidecar_id=sidecar_id,
        )

        sidecar_target_view.additional_properties = d
        return sidecar_target_view

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
