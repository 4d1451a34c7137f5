from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.applied_access_rule_view_access_type import (
    AppliedAccessRuleViewAccessType,
)

if TYPE_CHECKING:
    from ..models.origin_view import OriginView


T = TypeVar("T", bound="AppliedAccessRuleView")


@_attrs_define
class AppliedAccessRuleView:
    """
    Attributes:
        name (str):
        access_type (AppliedAccessRuleViewAccessType):
        origin (OriginView):
    """

    name: str
    access_type: AppliedAccessRuleViewAccessType
    origin: OriginView
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        access_type = self.access_type.value

        origin = self.origin.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "access_type": access_type,
                "origin": origin,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.origin_view import OriginView

        d = dict(src_dict)
        name = d.pop("name")

        access_type = AppliedAccessRuleViewAccessType(d.pop("access_type"))

        origin = OriginView.from_dict(d.pop("origin"))

        applied_access_rule_view = cls(
            name=name,
            access_type=access_type,
            origin=origin,
        )

        applied_access_rule_view.additional_properties = d
        return applied_access_rule_view

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
