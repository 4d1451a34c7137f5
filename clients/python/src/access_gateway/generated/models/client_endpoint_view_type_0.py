from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ClientEndpointViewType0")


@_attrs_define
class ClientEndpointViewType0:
    """
    Attributes:
        protocol (str): Name of the protocol, as in the metrics of sessions. Example: postgresql.
        issues_credentials (bool): Whether a client signs in with a credential of `POST
            /connections/{nameOrID}/credentials`; otherwise with an access token of this gateway.
        url_template (None | str): Address for clients, in which percent-encoded values replace `{connection}`, the name
            of the connection, and `{username}`, `{password}` and `{database}`, those of the credential. Null: this gateway
            does not listen for these clients. Example:
            postgres://{username}:{password}@gateway.example.com:15432/{database}?sslmode=require.
    """

    protocol: str
    issues_credentials: bool
    url_template: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        protocol = self.protocol

        issues_credentials = self.issues_credentials

        url_template: None | str
        url_template = self.url_template

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "protocol": protocol,
                "issues_credentials": issues_credentials,
                "url_template": url_template,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        protocol = d.pop("protocol")

        issues_credentials = d.pop("issues_credentials")

        def _parse_url_template(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        url_template = _parse_url_template(d.pop("url_template"))

        client_endpoint_view_type_0 = cls(
            protocol=protocol,
            issues_credentials=issues_credentials,
            url_template=url_template,
        )

        client_endpoint_view_type_0.additional_properties = d
        return client_endpoint_view_type_0

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
