from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ToolPatternsBody")


@_attrs_define
class ToolPatternsBody:
    """
    Attributes:
        allowed (list[str] | Unset): Only what one of these patterns matches is there for clients. None: everything. `*`
            stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to
            match. Example: ['search_*'].
        denied (list[str] | Unset): What one of these patterns matches is not there for clients, even if it is allowed.
            `*` stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to
            match. Example: ['delete_*'].
        approval (list[str] | Unset): Calls of tools that one of these patterns matches need a review. Example:
            ['write_*'].
    """

    allowed: list[str] | Unset = UNSET
    denied: list[str] | Unset = UNSET
    approval: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        allowed: list[str] | Unset = UNSET
        if not isinstance(self.allowed, Unset):
            allowed = self.allowed

        denied: list[str] | Unset = UNSET
        if not isinstance(self.denied, Unset):
            denied = self.denied

        approval: list[str] | Unset = UNSET
        if not isinstance(self.approval, Unset):
            approval = self.approval

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if allowed is not UNSET:
            field_dict["allowed"] = allowed
        if denied is not UNSET:
            field_dict["denied"] = denied
        if approval is not UNSET:
            field_dict["approval"] = approval

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        allowed = cast(list[str], d.pop("allowed", UNSET))

        denied = cast(list[str], d.pop("denied", UNSET))

        approval = cast(list[str], d.pop("approval", UNSET))

        tool_patterns_body = cls(
            allowed=allowed,
            denied=denied,
            approval=approval,
        )

        return tool_patterns_body
