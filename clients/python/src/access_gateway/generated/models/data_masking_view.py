from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.data_masking_view_info_types import DataMaskingViewInfoTypes


T = TypeVar("T", bound="DataMaskingView")


@_attrs_define
class DataMaskingView:
    """
    Attributes:
        total_redact_count (int): Pieces of output that were masked.
        transformed_bytes (int): Bytes of output that were replaced.
        info_types (DataMaskingViewInfoTypes): How often, by name of the detector or type of the entry. Example:
            {'email': 2}.
    """

    total_redact_count: int
    transformed_bytes: int
    info_types: DataMaskingViewInfoTypes
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        total_redact_count = self.total_redact_count

        transformed_bytes = self.transformed_bytes

        info_types = self.info_types.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "total_redact_count": total_redact_count,
                "transformed_bytes": transformed_bytes,
                "info_types": info_types,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.data_masking_view_info_types import DataMaskingViewInfoTypes

        d = dict(src_dict)
        total_redact_count = d.pop("total_redact_count")

        transformed_bytes = d.pop("transformed_bytes")

        info_types = DataMaskingViewInfoTypes.from_dict(d.pop("info_types"))

        data_masking_view = cls(
            total_redact_count=total_redact_count,
            transformed_bytes=transformed_bytes,
            info_types=info_types,
        )

        data_masking_view.additional_properties = d
        return data_masking_view

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
