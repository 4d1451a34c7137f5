from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ConnectionPatchBodySecret")


@_attrs_define
class ConnectionPatchBodySecret:
    """How to reach the target. `NAME` has plain text, `envvar:NAME` base64. Postgres: HOST PORT USER PASS DB SSLMODE
    SSLROOTCERT ROLE (as which each session acts; `{group:PREFIX}` is the rest of the name of the person's group that
    begins so, `{subject}` the subject). SSH: HOST PORT USER, PASS or PRIVATE_KEY with PASSPHRASE or AUTH=certificate,
    HOST_KEY SHELL_COMMAND CLIENT_MAY TERMINAL_INPUT FORWARD_TO FORWARD_FROM. MCP proxy: REMOTE_URL MCP_TRANSPORT
    MCP_AUTH HEADER_*; with MCP_AUTH=exchange MCP_TOKEN_URL MCP_CLIENT_ID MCP_CLIENT_SECRET MCP_OAUTH_SUBJECT
    MCP_AUDIENCE MCP_RESOURCE MCP_SCOPE; with MCP_AUTH=oauth MCP_ISSUER MCP_CLIENT_ID MCP_CLIENT_SECRET MCP_OAUTH_GRANT
    MCP_OAUTH_SUBJECT MCP_SCOPE. Write-only: reads show the names with empty values, and an empty value for a name that
    is stored keeps it. MCP_ALLOWED_TOOLS and its like are moved to `mcp_policy`. Required unless `catalog` is given.

        Example:
            {'HOST': 'db.internal', 'PORT': '5432', 'USER': 'app', 'PASS': 'secret', 'DB': 'orders'}

    """

    additional_properties: dict[str, str] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        connection_patch_body_secret = cls()

        connection_patch_body_secret.additional_properties = d
        return connection_patch_body_secret

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> str:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: str) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
