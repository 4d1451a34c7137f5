from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ConnectionCredentialsViewType0")


@_attrs_define
class ConnectionCredentialsViewType0:
    """
    Attributes:
        hostname (str):  Example: gateway.example.com.
        port (int):  Example: 15432.
        username (UUID): The id of the credential.
        password (str): The password. It is shown only once; the gateway does not store it.
        database_name (str): The name of the database, as the database itself has it. The user name says which
            connection it is of. Example: orders.
        connection_string (str): Connection string, which contains the password. Example:
            postgres://…:…@gateway.example.com:15432/orders?sslmode=require.
    """

    hostname: str
    port: int
    username: UUID
    password: str
    database_name: str
    connection_string: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        hostname = self.hostname

        port = self.port

        username = str(self.username)

        password = self.password

        database_name = self.database_name

        connection_string = self.connection_string

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "hostname": hostname,
                "port": port,
                "username": username,
                "password": password,
                "database_name": database_name,
                "connection_string": connection_string,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        hostname = d.pop("hostname")

        port = d.pop("port")

        username = UUID(d.pop("username"))

        password = d.pop("password")

        database_name = d.pop("database_name")

        connection_string = d.pop("connection_string")

        connection_credentials_view_type_0 = cls(
            hostname=hostname,
            port=port,
            username=username,
            password=password,
            database_name=database_name,
            connection_string=connection_string,
        )

        connection_credentials_view_type_0.additional_properties = d
        return connection_credentials_view_type_0

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
