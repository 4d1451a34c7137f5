from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.user_view_role import UserViewRole
from ..models.user_view_status import UserViewStatus

T = TypeVar("T", bound="UserView")


@_attrs_define
class UserView:
    """
    Attributes:
        id (str): Subject identifier (`sub`); identifies the user in paths. Example: auth0|5f7c.
        user_id (UUID): The gateway’s own identifier.
        org_id (UUID):
        email (str):
        name (str):
        status (UserViewStatus):
        role (UserViewRole):
        groups (list[str]): Manual groups.
        idp_groups (list[str]): Groups from the identity provider at the last sign-in.
        scim_groups (list[str]): Groups from provisioning by SCIM.
        created_at (datetime.datetime):
        updated_at (datetime.datetime):
    """

    id: str
    user_id: UUID
    org_id: UUID
    email: str
    name: str
    status: UserViewStatus
    role: UserViewRole
    groups: list[str]
    idp_groups: list[str]
    scim_groups: list[str]
    created_at: datetime.datetime
    updated_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        user_id = str(self.user_id)

        org_id = str(self.org_id)

        email = self.email

        name = self.name

        status = self.status.value

        role = self.role.value

        groups = self.groups

        idp_groups = self.idp_groups

        scim_groups = self.scim_groups

        created_at = self.created_at.isoformat()

        updated_at = self.updated_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "user_id": user_id,
                "org_id": org_id,
                "email": email,
                "name": name,
                "status": status,
                "role": role,
                "groups": groups,
                "idp_groups": idp_groups,
                "scim_groups": scim_groups,
                "created_at": created_at,
                "updated_at": updated_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        user_id = UUID(d.pop("user_id"))

        org_id = UUID(d.pop("org_id"))

        email = d.pop("email")

        name = d.pop("name")

        status = UserViewStatus(d.pop("status"))

        role = UserViewRole(d.pop("role"))

        groups = cast(list[str], d.pop("groups"))

        idp_groups = cast(list[str], d.pop("idp_groups"))

        scim_groups = cast(list[str], d.pop("scim_groups"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at"))

        user_view = cls(
            id=id,
            user_id=user_id,
            org_id=org_id,
            email=email,
            name=name,
            status=status,
            role=role,
            groups=groups,
            idp_groups=idp_groups,
            scim_groups=scim_groups,
            created_at=created_at,
            updated_at=updated_at,
        )

        user_view.additional_properties = d
        return user_view

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
