from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.user_change_body_status import UserChangeBodyStatus
from ..types import UNSET, Unset

T = TypeVar("T", bound="UserChangeBody")


@_attrs_define
class UserChangeBody:
    """
    Attributes:
        status (UserChangeBodyStatus | Unset): Status; inactive users have no access.
        name (str | Unset): Display name.
        groups (list[str] | Unset): Manual groups; replaces all of them. Absent: unchanged. Default: none. Example:
            ['dba'].
    """

    status: UserChangeBodyStatus | Unset = UNSET
    name: str | Unset = UNSET
    groups: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = self.status.value

        name = self.name

        groups: list[str] | Unset = UNSET
        if not isinstance(self.groups, Unset):
            groups = self.groups

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if status is not UNSET:
            field_dict["status"] = status
        if name is not UNSET:
            field_dict["name"] = name
        if groups is not UNSET:
            field_dict["groups"] = groups

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        _status = d.pop("status", UNSET)
        status: UserChangeBodyStatus | Unset
        if isinstance(_status, Unset):
            status = UNSET
        else:
            status = UserChangeBodyStatus(_status)

        name = d.pop("name", UNSET)

        groups = cast(list[str], d.pop("groups", UNSET))

        user_change_body = cls(
            status=status,
            name=name,
            groups=groups,
        )

        return user_change_body
