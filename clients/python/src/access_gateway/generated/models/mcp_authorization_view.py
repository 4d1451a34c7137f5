from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="McpAuthorizationView")


@_attrs_define
class McpAuthorizationView:
    """
    Attributes:
        id (UUID):
        client_id (str): Id of the client: as the gateway registered it, or the address of its metadata document.
            Example: https://ide.example.com/client.json.
        client_name (str): As the client calls itself. Example: Example IDE.
        redirect_host (str): Host to which the browser returned; that of the gateway for a device without a browser.
            With its scheme where it returned to an application (`cursor://anysphere.cursor-mcp`). Example: 127.0.0.1:33418.
        connection (None | str): The connection that the client may use in the name of the user; null: all of the REST
            API, for the command line of the gateway. Example: tickets.
        user (str): Subject identifier of the user.
        created_at (datetime.datetime): When the user allowed it.
        expires_at (datetime.datetime): When the user has to sign in again.
    """

    id: UUID
    client_id: str
    client_name: str
    redirect_host: str
    connection: None | str
    user: str
    created_at: datetime.datetime
    expires_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = str(self.id)

        client_id = self.client_id

        client_name = self.client_name

        redirect_host = self.redirect_host

        connection: None | str
        connection = self.connection

        user = self.user

        created_at = self.created_at.isoformat()

        expires_at = self.expires_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "client_id": client_id,
                "client_name": client_name,
                "redirect_host": redirect_host,
                "connection": connection,
                "user": user,
                "created_at": created_at,
                "expires_at": expires_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = UUID(d.pop("id"))

        client_id = d.pop("client_id")

        client_name = d.pop("client_name")

        redirect_host = d.pop("redirect_host")

        def _parse_connection(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        connection = _parse_connection(d.pop("connection"))

        user = d.pop("user")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        expires_at = datetime.datetime.fromisoformat(d.pop("expires_at"))

        mcp_authorization_view = cls(
            id=id,
            client_id=client_id,
            client_name=client_name,
            redirect_host=redirect_host,
            connection=connection,
            user=user,
            created_at=created_at,
            expires_at=expires_at,
        )

        mcp_authorization_view.additional_properties = d
        return mcp_authorization_view

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
