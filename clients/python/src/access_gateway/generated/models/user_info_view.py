from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.user_info_view_identity_type import UserInfoViewIdentityType
from ..models.user_info_view_role import UserInfoViewRole
from ..models.user_info_view_status import UserInfoViewStatus

T = TypeVar("T", bound="UserInfoView")


@_attrs_define
class UserInfoView:
    """
    Attributes:
        id (str): Subject identifier (`sub`) of the user. Example: admin.
        email (str):  Example: admin@example.com.
        name (str):  Example: Ada Admin.
        groups (list[str]): Groups from the identity provider and from admins. Example: ['admin'].
        role (UserInfoViewRole): Role, which follows from the groups.
        is_admin (bool): Whether the role is `admin`.
        status (UserInfoViewStatus): Always active: inactive users get status 401.
        identity_type (UserInfoViewIdentityType):
        org_id (UUID):
        org_name (str):  Example: default.
    """

    id: str
    email: str
    name: str
    groups: list[str]
    role: UserInfoViewRole
    is_admin: bool
    status: UserInfoViewStatus
    identity_type: UserInfoViewIdentityType
    org_id: UUID
    org_name: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        email = self.email

        name = self.name

        groups = self.groups

        role = self.role.value

        is_admin = self.is_admin

        status = self.status.value

        identity_type = self.identity_type.value

        org_id = str(self.org_id)

        org_name = self.org_name

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "email": email,
                "name": name,
                "groups": groups,
                "role": role,
                "is_admin": is_admin,
                "status": status,
                "identity_type": identity_type,
                "org_id": org_id,
                "org_name": org_name,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        email = d.pop("email")

        name = d.pop("name")

        groups = cast(list[str], d.pop("groups"))

        role = UserInfoViewRole(d.pop("role"))

        is_admin = d.pop("is_admin")

        status = UserInfoViewStatus(d.pop("status"))

        identity_type = UserInfoViewIdentityType(d.pop("identity_type"))

        org_id = UUID(d.pop("org_id"))

        org_name = d.pop("org_name")

        user_info_view = cls(
            id=id,
            email=email,
            name=name,
            groups=groups,
            role=role,
            is_admin=is_admin,
            status=status,
            identity_type=identity_type,
            org_id=org_id,
            org_name=org_name,
        )

        user_info_view.additional_properties = d
        return user_info_view

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
