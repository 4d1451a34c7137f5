from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="AuditVerificationView")


@_attrs_define
class AuditVerificationView:
    """
    Attributes:
        valid (bool):
        checked (int): Number of valid lines from the first one.
        broken_at (int | None): The first line that was changed or is missing.
        head (str): Hash of the last valid line. Keep it elsewhere to prove later that no lines were removed from the
            end.
    """

    valid: bool
    checked: int
    broken_at: int | None
    head: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        valid = self.valid

        checked = self.checked

        broken_at: int | None
        broken_at = self.broken_at

        head = self.head

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "valid": valid,
                "checked": checked,
                "broken_at": broken_at,
                "head": head,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        valid = d.pop("valid")

        checked = d.pop("checked")

        def _parse_broken_at(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        broken_at = _parse_broken_at(d.pop("broken_at"))

        head = d.pop("head")

        audit_verification_view = cls(
            valid=valid,
            checked=checked,
            broken_at=broken_at,
            head=head,
        )

        audit_verification_view.additional_properties = d
        return audit_verification_view

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
