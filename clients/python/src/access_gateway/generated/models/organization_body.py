from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.features_body import FeaturesBody


T = TypeVar("T", bound="OrganizationBody")


@_attrs_define
class OrganizationBody:
    """
    Attributes:
        features (FeaturesBody):
    """

    features: FeaturesBody

    def to_dict(self) -> dict[str, Any]:
        features = self.features.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "features": features,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.features_body import FeaturesBody

        d = dict(src_dict)
        features = FeaturesBody.from_dict(d.pop("features"))

        organization_body = cls(
            features=features,
        )

        return organization_body
