from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.public_server_info_view_auth_method import PublicServerInfoViewAuthMethod

T = TypeVar("T", bound="PublicServerInfoView")


@_attrs_define
class PublicServerInfoView:
    """
    Attributes:
        auth_method (PublicServerInfoViewAuthMethod): How people sign in.
        api_url (str): Base URL of the API. Example: http://127.0.0.1:8009/api.
    """

    auth_method: PublicServerInfoViewAuthMethod
    api_url: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        auth_method = self.auth_method.value

        api_url = self.api_url

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "auth_method": auth_method,
                "api_url": api_url,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        auth_method = PublicServerInfoViewAuthMethod(d.pop("auth_method"))

        api_url = d.pop("api_url")

        public_server_info_view = cls(
            auth_method=auth_method,
            api_url=api_url,
        )

        public_server_info_view.additional_properties = d
        return public_server_info_view

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
