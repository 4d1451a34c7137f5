from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.readiness_view_status import ReadinessViewStatus

T = TypeVar("T", bound="ReadinessView")


@_attrs_define
class ReadinessView:
    """
    Attributes:
        status (ReadinessViewStatus):
        warnings (list[str]): What works only partly, for example an identity provider that does not answer.
    """

    status: ReadinessViewStatus
    warnings: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        status = self.status.value

        warnings = self.warnings

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "status": status,
                "warnings": warnings,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        status = ReadinessViewStatus(d.pop("status"))

        warnings = cast(list[str], d.pop("warnings"))

        readiness_view = cls(
            status=status,
            warnings=warnings,
        )

        readiness_view.additional_properties = d
        return readiness_view

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
