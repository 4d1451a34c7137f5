from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.catalog_entry_view_auth import CatalogEntryViewAuth
from ..models.catalog_entry_view_auth_modes_item import CatalogEntryViewAuthModesItem
from ..models.catalog_entry_view_transport import CatalogEntryViewTransport

T = TypeVar("T", bound="CatalogEntryView")


@_attrs_define
class CatalogEntryView:
    """
    Attributes:
        name (str): Catalog key; unique and stable. Example: github.
        description (str): One-line summary of what the server exposes.
        url (str): The MCP endpoint; the value for `REMOTE_URL`.
        transport (CatalogEntryViewTransport): Backend protocol; the value for `MCP_TRANSPORT`.
        auth (CatalogEntryViewAuth): Default auth mode that the provider documents.
        auth_modes (list[CatalogEntryViewAuthModesItem]): Every auth mode the server accepts; the default comes first.
        header (str): Static credential header and its value template; empty when no mode is `static`. Example:
            Authorization: Bearer <token>.
        notes (str): What to know before using the server.
    """

    name: str
    description: str
    url: str
    transport: CatalogEntryViewTransport
    auth: CatalogEntryViewAuth
    auth_modes: list[CatalogEntryViewAuthModesItem]
    header: str
    notes: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        description = self.description

        url = self.url

        transport = self.transport.value

        auth = self.auth.value

        auth_modes = []
        for auth_modes_item_data in self.auth_modes:
            auth_modes_item = auth_modes_item_data.value
            auth_modes.append(auth_modes_item)

        header = self.header

        notes = self.notes

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "description": description,
                "url": url,
                "transport": transport,
                "auth": auth,
                "auth_modes": auth_modes,
                "header": header,
                "notes": notes,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        name = d.pop("name")

        description = d.pop("description")

        url = d.pop("url")

        transport = CatalogEntryViewTransport(d.pop("transport"))

        auth = CatalogEntryViewAuth(d.pop("auth"))

        auth_modes = []
        _auth_modes = d.pop("auth_modes")
        for auth_modes_item_data in _auth_modes:
            auth_modes_item = CatalogEntryViewAuthModesItem(auth_modes_item_data)

            auth_modes.append(auth_modes_item)

        header = d.pop("header")

        notes = d.pop("notes")

        catalog_entry_view = cls(
            name=name,
            description=description,
            url=url,
            transport=transport,
            auth=auth,
            auth_modes=auth_modes,
            header=header,
            notes=notes,
        )

        catalog_entry_view.additional_properties = d
        return catalog_entry_view

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
