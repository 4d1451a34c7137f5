from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.connection_kind_view_subtype import ConnectionKindViewSubtype
from ..models.connection_kind_view_type import ConnectionKindViewType
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.client_endpoint_view_type_0 import ClientEndpointViewType0
    from ..models.secret_field_view import SecretFieldView


T = TypeVar("T", bound="ConnectionKindView")


@_attrs_define
class ConnectionKindView:
    """
    Attributes:
        type_ (ConnectionKindViewType): `type` of its connections.
        subtype (ConnectionKindViewSubtype): `subtype` of its connections; identifies the kind.
        title (str): What users call the kind. Example: PostgreSQL.
        language (str): Language of its inputs, by which guardrails read them. Example: postgresql.
        secret_fields (list[SecretFieldView]): Fields of the secret, in the order of a form.
        secret_prefix (None | str): Other fields of the secret have names that begin so; null: there are none. Example:
            HEADER_.
        runs_scripts (bool): Whether `POST /sessions` runs scripts on its connections.
        lists_tables (bool): Whether `GET /connections/{nameOrID}/tables` lists tables.
        has_queries (bool): Whether recordings can be read with `event_stream=raw-queries`.
        has_mcp_policy (bool): Whether its connections have an `mcp_policy`.
        client_endpoint (ClientEndpointViewType0 | None | Unset):
    """

    type_: ConnectionKindViewType
    subtype: ConnectionKindViewSubtype
    title: str
    language: str
    secret_fields: list[SecretFieldView]
    secret_prefix: None | str
    runs_scripts: bool
    lists_tables: bool
    has_queries: bool
    has_mcp_policy: bool
    client_endpoint: ClientEndpointViewType0 | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.client_endpoint_view_type_0 import ClientEndpointViewType0

        type_ = self.type_.value

        subtype = self.subtype.value

        title = self.title

        language = self.language

        secret_fields = []
        for secret_fields_item_data in self.secret_fields:
            secret_fields_item = secret_fields_item_data.to_dict()
            secret_fields.append(secret_fields_item)

        secret_prefix: None | str
        secret_prefix = self.secret_prefix

        runs_scripts = self.runs_scripts

        lists_tables = self.lists_tables

        has_queries = self.has_queries

        has_mcp_policy = self.has_mcp_policy

        client_endpoint: dict[str, Any] | None | Unset
        if isinstance(self.client_endpoint, Unset):
            client_endpoint = UNSET
        elif isinstance(self.client_endpoint, ClientEndpointViewType0):
            client_endpoint = self.client_endpoint.to_dict()
        else:
            client_endpoint = self.client_endpoint

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "type": type_,
                "subtype": subtype,
                "title": title,
                "language": language,
                "secret_fields": secret_fields,
                "secret_prefix": secret_prefix,
                "runs_scripts": runs_scripts,
                "lists_tables": lists_tables,
                "has_queries": has_queries,
                "has_mcp_policy": has_mcp_policy,
            }
        )
        if client_endpoint is not UNSET:
            field_dict["client_endpoint"] = client_endpoint

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.client_endpoint_view_type_0 import ClientEndpointViewType0
        from ..models.secret_field_view import SecretFieldView

        d = dict(src_dict)
        type_ = ConnectionKindViewType(d.pop("type"))

        subtype = ConnectionKindViewSubtype(d.pop("subtype"))

        title = d.pop("title")

        language = d.pop("language")

        secret_fields = []
        _secret_fields = d.pop("secret_fields")
        for secret_fields_item_data in _secret_fields:
            secret_fields_item = SecretFieldView.from_dict(secret_fields_item_data)

            secret_fields.append(secret_fields_item)

        def _parse_secret_prefix(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        secret_prefix = _parse_secret_prefix(d.pop("secret_prefix"))

        runs_scripts = d.pop("runs_scripts")

        lists_tables = d.pop("lists_tables")

        has_queries = d.pop("has_queries")

        has_mcp_policy = d.pop("has_mcp_policy")

        def _parse_client_endpoint(data: object) -> ClientEndpointViewType0 | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_client_endpoint_view_type_0 = ClientEndpointViewType0.from_dict(data)

                return componentsschemas_client_endpoint_view_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ClientEndpointViewType0 | None | Unset, data)

        client_endpoint = _parse_client_endpoint(d.pop("client_endpoint", UNSET))

        connection_kind_view = cls(
            type_=type_,
            subtype=subtype,
            title=title,
            language=language,
            secret_fields=secret_fields,
            secret_prefix=secret_prefix,
            runs_scripts=runs_scripts,
            lists_tables=lists_tables,
            has_queries=has_queries,
            has_mcp_policy=has_mcp_policy,
            client_endpoint=client_endpoint,
        )

        connection_kind_view.additional_properties = d
        return connection_kind_view

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
