from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.scim_token_view_status import ScimTokenViewStatus

T = TypeVar("T", bound="ScimTokenView")


@_attrs_define
class ScimTokenView:
    """
    Attributes:
        id (UUID):
        org_id (UUID):
        name (str):  Example: entra.
        masked_token (str): First characters of the token. Example: gws_3fK9….
        status (ScimTokenViewStatus):
        created_by (str): Subject of the admin who created the token.
        expires_at (datetime.datetime):
        revoked_at (datetime.datetime | None):
        created_at (datetime.datetime):
    """

    id: UUID
    org_id: UUID
    name: str
    masked_token: str
    status: ScimTokenViewStatus
    created_by: str
    expires_at: datetime.datetime
    revoked_at: datetime.datetime | None
    created_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = str(self.id)

        org_id = str(self.org_id)

        name = self.name

        masked_token = self.masked_token

        status = self.status.value

        created_by = self.created_by

        expires_at = self.expires_at.isoformat()

        revoked_at: None | str
        if isinstance(self.revoked_at, datetime.datetime):
            revoked_at = self.revoked_at.isoformat()
        else:
            revoked_at = self.revoked_at

        created_at = self.created_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "org_id": org_id,
                "name": name,
                "masked_token": masked_token,
                "status": status,
                "created_by": created_by,
                "expires_at": expires_at,
                "revoked_at": revoked_at,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = UUID(d.pop("id"))

        org_id = UUID(d.pop("org_id"))

        name = d.pop("name")

        masked_token = d.pop("masked_token")

        status = ScimTokenViewStatus(d.pop("status"))

        created_by = d.pop("created_by")

        expires_at = datetime.datetime.fromisoformat(d.pop("expires_at"))

        def _parse_revoked_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                revoked_at_type_0 = datetime.datetime.fromisoformat(data)

                return revoked_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        revoked_at = _parse_revoked_at(d.pop("revoked_at"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        scim_token_view = cls(
            id=id,
            org_id=org_id,
            name=name,
            masked_token=masked_token,
            status=status,
            created_by=created_by,
            expires_at=expires_at,
            revoked_at=revoked_at,
            created_at=created_at,
        )

        scim_token_view.additional_properties = d
        return scim_token_view

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
