from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="SshHostKeyView")


@_attrs_define
class SshHostKeyView:
    """
    Attributes:
        type_ (str): Type of the key. Example: ssh-ed25519.
        fingerprint (str): SHA-256 of the key, as `ssh` shows it. Example: SHA256:r0rGY4bHm+….
        known_hosts (str): A line for the file `known_hosts` of SSH clients. Example: [gateway.example.com]:2222 ssh-
            ed25519 AAAAC3NzaC1lZDI1NTE5AAAA….
    """

    type_: str
    fingerprint: str
    known_hosts: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        type_ = self.type_

        fingerprint = self.fingerprint

        known_hosts = self.known_hosts

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "type": type_,
                "fingerprint": fingerprint,
                "known_hosts": known_hosts,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        type_ = d.pop("type")

        fingerprint = d.pop("fingerprint")

        known_hosts = d.pop("known_hosts")

        ssh_host_key_view = cls(
            type_=type_,
            fingerprint=fingerprint,
            known_hosts=known_hosts,
        )

        ssh_host_key_view.additional_properties = d
        return ssh_host_key_view

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
