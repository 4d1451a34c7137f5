from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="FeaturesBody")


@_attrs_define
class FeaturesBody:
    """
    Attributes:
        access_control (bool | Unset): Whether connections can be opened only by members of their `access_groups`.
        review (bool | Unset): Whether access request rules require approval. Example: True.
    """

    access_control: bool | Unset = UNSET
    review: bool | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        access_control = self.access_control

        review = self.review

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if access_control is not UNSET:
            field_dict["access_control"] = access_control
        if review is not UNSET:
            field_dict["review"] = review

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        access_control = d.pop("access_control", UNSET)

        review = d.pop("review", UNSET)

        features_body = cls(
            access_control=access_control,
            review=review,
        )

        return features_body
