from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.features_view import FeaturesView


T = TypeVar("T", bound="OrganizationView")


@_attrs_define
class OrganizationView:
    """
    Attributes:
        id (UUID):
        name (str):  Example: default.
        features (FeaturesView):
    """

    id: UUID
    name: str
    features: FeaturesView
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = str(self.id)

        name = self.name

        features = self.features.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "features": features,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.features_view import FeaturesView

        d = dict(src_dict)
        id = UUID(d.pop("id"))

        name = d.pop("name")

        features = FeaturesView.from_dict(d.pop("features"))

        organization_view = cls(
            id=id,
            name=name,
            features=features,
        )

        organization_view.additional_properties = d
        return organization_view

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
