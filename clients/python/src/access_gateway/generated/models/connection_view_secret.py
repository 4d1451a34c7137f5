from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.connection_view_secret_additional_property import (
    ConnectionViewSecretAdditionalProperty,
)

T = TypeVar("T", bound="ConnectionViewSecret")


@_attrs_define
class ConnectionViewSecret:
    """Names of the secret’s values; the values are never shown.

    Example:
        {'HOST': '', 'PASS': ''}

    """

    additional_properties: dict[str, ConnectionViewSecretAdditionalProperty] = _attrs_field(
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
        connection_view_secret = cls()

        additional_properties = {}
        for prop_name, prop_dict in d.items():
            additional_property = ConnectionViewSecretAdditionalProperty(prop_dict)

            additional_properties[prop_name] = additional_property

        connection_view_secret.additional_properties = additional_properties
        return connection_view_secret

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> ConnectionViewSecretAdditionalProperty:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: ConnectionViewSecretAdditionalProperty) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
