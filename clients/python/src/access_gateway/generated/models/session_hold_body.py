from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="SessionHoldBody")


@_attrs_define
class SessionHoldBody:
    """
    Attributes:
        held (bool):
        reason (None | str | Unset): Why. Of a release, the audit log alone keeps it. Default: none. Example: case
            2026-117.
    """

    held: bool
    reason: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        held = self.held

        reason: None | str | Unset
        if isinstance(self.reason, Unset):
            reason = UNSET
        else:
            reason = self.reason

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "held": held,
            }
        )
        if reason is not UNSET:
            field_dict["reason"] = reason

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        held = d.pop("held")

        def _parse_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        reason = _parse_reason(d.pop("reason", UNSET))

        session_hold_body = cls(
            held=held,
            reason=reason,
        )

        return session_hold_body
