from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="NamePatternsBody")


@_attrs_define
class NamePatternsBody:
    """
    Attributes:
        allowed (list[str] | Unset): Only what one of these patterns matches is there for clients. None: everything. `*`
            stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to
            match. Example: ['search_*'].
        denied (list[str] | Unset): What one of these patterns matches is not there for clients, even if it is allowed.
            `*` stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to
            match. Example: ['delete_*'].
    """

    allowed: list[str] | Unset = UNSET
    denied: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        allowed: list[str] | Unset = UNSET
        if not isinstance(self.allowed, Unset):
            allowed = self.allowed

        denied: list[str] | Unset = UNSET
        if not isinstance(self.denied, Unset):
            denied = self.denied

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if allowed is not UNSET:
            field_dict["allowed"] = allowed
        if denied is not UNSET:
            field_dict["denied"] = denied

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        allowed = cast(list[str], d.pop("allowed", UNSET))

        denied = cast(list[str], d.pop("denied", UNSET))

        name_patterns_body = cls(
            allowed=allowed,
            denied=denied,
        )

        return name_patterns_body
