from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.mcp_connect_view_subject import McpConnectViewSubject

T = TypeVar("T", bound="McpConnectView")


@_attrs_define
class McpConnectView:
    """
    Attributes:
        url (str): Opened in a browser, it serves the caller alone: after the sign-in at the gateway it shows where the
            account is, asks, and leads there. Good for an hour, used once. Example: https://gateway.example.com/api/mcp-
            connect/0b6f2c1e-6d8e-4a5e-9a7f-3b1f0f5f6a10.
        subject (McpConnectViewSubject): `user`: an account of the caller, for the caller. `shared`: one for all who use
            the connection.
        expires_at (datetime.datetime):
        redirect_uri (None | str): To be registered with the client of `MCP_CLIENT_ID`; null where the gateway
            introduces itself to the authorization server.
    """

    url: str
    subject: McpConnectViewSubject
    expires_at: datetime.datetime
    redirect_uri: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        url = self.url

        subject = self.subject.value

        expires_at = self.expires_at.isoformat()

        redirect_uri: None | str
        redirect_uri = self.redirect_uri

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "url": url,
                "subject": subject,
                "expires_at": expires_at,
                "redirect_uri": redirect_uri,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        url = d.pop("url")

        subject = McpConnectViewSubject(d.pop("subject"))

        expires_at = datetime.datetime.fromisoformat(d.pop("expires_at"))

        def _parse_redirect_uri(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        redirect_uri = _parse_redirect_uri(d.pop("redirect_uri"))

        mcp_connect_view = cls(
            url=url,
            subject=subject,
            expires_at=expires_at,
            redirect_uri=redirect_uri,
        )

        mcp_connect_view.additional_properties = d
        return mcp_connect_view

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
