from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.checked_connection_view_secret_additional_property import (
    CheckedConnectionViewSecretAdditionalProperty,
)

T = TypeVar("T", bound="CheckedConnectionViewSecret")


@_attrs_define
class CheckedConnectionViewSecret:
    """Names of the secret’s values; the values are never shown.

    Example:
        {'HOST': '', 'PASS': ''}

    """

    additional_properties: dict[str, CheckedConnectionViewSecretAdditionalProperty] = _attrs_field(
        init=False, factory=dict
    )

    def to_dict(self) -> dict[str, Any]:

        field_dict: dict[str, Any] = {}
        for prop_name, prop in self.additional_properties.items():
            field_dict[prop_name] = prop.value

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        checked_connection_view_secret = cls()

        additional_properties = {}
        for prop_name, prop_dict in d.items():
            additional_property = CheckedConnectionViewSecretAdditionalProperty(prop_dict)

            additional_properties[prop_name] = additional_property

        checked_connection_view_secret.additional_properties = additional_properties
        return checked_connection_view_secret

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> CheckedConnectionViewSecretAdditionalProperty:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: CheckedConnectionViewSecretAdditionalProperty) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
