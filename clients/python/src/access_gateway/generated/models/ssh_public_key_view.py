from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.ssh_public_key_view_status import SshPublicKeyViewStatus
from ..models.ssh_public_key_view_type import SshPublicKeyViewType

T = TypeVar("T", bound="SshPublicKeyView")


@_attrs_define
class SshPublicKeyView:
    """
    Attributes:
        id (UUID):
        name (str):  Example: laptop.
        type_ (SshPublicKeyViewType):
        bits (float): Size of the key. Example: 256.
        fingerprint (str): SHA-256 of the key, as `ssh-keygen -l` shows it. Example:
            SHA256:ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA.
        status (SshPublicKeyViewStatus):
        user (str): Subject identifier of the user.
        created_at (datetime.datetime):
        expires_at (datetime.datetime | None):
        last_used_at (datetime.datetime | None): When the key was last used, to the minute; null: never.
    """

    id: UUID
    name: str
    type_: SshPublicKeyViewType
    bits: float
    fingerprint: str
    status: SshPublicKeyViewStatus
    user: str
    created_at: datetime.datetime
    expires_at: datetime.datetime | None
    last_used_at: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = str(self.id)

        name = self.name

        type_ = self.type_.value

        bits = self.bits

        fingerprint = self.fingerprint

        status = self.status.value

        user = self.user

        created_at = self.created_at.isoformat()

        expires_at: None | str
        if isinstance(self.expires_at, datetime.datetime):
            expires_at = self.expires_at.isoformat()
        else:
            expires_at = self.expires_at

        last_used_at: None | str
        if isinstance(self.last_used_at, datetime.datetime):
            last_used_at = self.last_used_at.isoformat()
        else:
            last_used_at = self.last_used_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "type": type_,
                "bits": bits,
                "fingerprint": fingerprint,
                "status": status,
                "user": user,
                "created_at": created_at,
                "expires_at": expires_at,
                "last_used_at": last_used_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = UUID(d.pop("id"))

        name = d.pop("name")

        type_ = SshPublicKeyViewType(d.pop("type"))

        bits = d.pop("bits")

        fingerprint = d.pop("fingerprint")

        status = SshPublicKeyViewStatus(d.pop("status"))

        user = d.pop("user")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        def _parse_expires_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                expires_at_type_0 = datetime.datetime.fromisoformat(data)

                return expires_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        expires_at = _parse_expires_at(d.pop("expires_at"))

        def _parse_last_used_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_used_at_type_0 = datetime.datetime.fromisoformat(data)

                return last_used_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        last_used_at = _parse_last_used_at(d.pop("last_used_at"))

        ssh_public_key_view = cls(
            id=id,
            name=name,
            type_=type_,
            bits=bits,
            fingerprint=fingerprint,
            status=status,
            user=user,
            created_at=created_at,
            expires_at=expires_at,
            last_used_at=last_used_at,
        )

        ssh_public_key_view.additional_properties = d
        return ssh_public_key_view

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
