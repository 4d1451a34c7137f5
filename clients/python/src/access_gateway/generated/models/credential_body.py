from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="CredentialBody")


@_attrs_define
class CredentialBody:
    """
    Attributes:
        access_duration_seconds (int | None | Unset): Duration of the access in seconds. Default: 3600, or the maximum
            of the connection’s access request rules, if that is less. A pending or approved request keeps the duration it
            was made with; who approves it may shorten it. Example: 28800.
        reason (None | str | Unset): Reason for the access; shown to reviewers, in events and in the audit log. Default:
            none. Example: OPS-12: refund of order 4711.
    """

    access_duration_seconds: int | None | Unset = UNSET
    reason: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        access_duration_seconds: int | None | Unset
        if isinstance(self.access_duration_seconds, Unset):
            access_duration_seconds = UNSET
        else:
            access_duration_seconds = self.access_duration_seconds

        reason: None | str | Unset
        if isinstance(self.reason, Unset):
            reason = UNSET
        else:
            reason = self.reason

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if access_duration_seconds is not UNSET:
            field_dict["access_duration_seconds"] = access_duration_seconds
        if reason is not UNSET:
            field_dict["reason"] = reason

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_access_duration_seconds(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        access_duration_seconds = _parse_access_duration_seconds(d.pop("access_duration_seconds", UNSET))

        def _parse_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        reason = _parse_reason(d.pop("reason", UNSET))

        credential_body = cls(
            access_duration_seconds=access_duration_seconds,
            reason=reason,
        )

        return credential_body
