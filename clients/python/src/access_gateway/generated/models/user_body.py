from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.user_body_status import UserBodyStatus
from ..types import UNSET, Unset

T = TypeVar("T", bound="UserBody")


@_attrs_define
class UserBody:
    """
    Attributes:
        id (str): Subject identifier (`sub`) at the identity provider. Example: auth0|5f7c.
        email (str):  Example: grace@example.com.
        name (str | Unset): Display name. Default: the e-mail.
        status (UserBodyStatus | Unset): Default: active.
        groups (list[str] | Unset): Manual groups. Default: none. Example: ['dba'].
    """

    id: str
    email: str
    name: str | Unset = UNSET
    status: UserBodyStatus | Unset = UNSET
    groups: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        email = self.email

        name = self.name

        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = self.status.value

        groups: list[str] | Unset = UNSET
        if not isinstance(self.groups, Unset):
            groups = self.groups

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "email": email,
            }
        )
        if name is not UNSET:
            field_dict["name"] = name
        if status is not UNSET:
            field_dict["status"] = status
        if groups is not UNSET:
            field_dict["groups"] = groups

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        email = d.pop("email")

        name = d.pop("name", UNSET)

        _status = d.pop("status", UNSET)
        status: UserBodyStatus | Unset
        if isinstance(_status, Unset):
            status = UNSET
        else:
            status = UserBodyStatus(_status)

        groups = cast(list[str], d.pop("groups", UNSET))

        user_body = cls(
            id=id,
            email=email,
            name=name,
            status=status,
            groups=groups,
        )

        return user_body
