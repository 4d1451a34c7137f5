from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.time_window_view_type_0_type import TimeWindowViewType0Type

if TYPE_CHECKING:
    from ..models.time_window_configuration_view import TimeWindowConfigurationView


T = TypeVar("T", bound="TimeWindowViewType0")


@_attrs_define
class TimeWindowViewType0:
    """
    Attributes:
        type_ (TimeWindowViewType0Type):
        configuration (TimeWindowConfigurationView):
    """

    type_: TimeWindowViewType0Type
    configuration: TimeWindowConfigurationView
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        type_ = self.type_.value

        configuration = self.configuration.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "type": type_,
                "configuration": configuration,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.time_window_configuration_view import TimeWindowConfigurationView

        d = dict(src_dict)
        type_ = TimeWindowViewType0Type(d.pop("type"))

        configuration = TimeWindowConfigurationView.from_dict(d.pop("configuration"))

        time_window_view_type_0 = cls(
            type_=type_,
            configuration=configuration,
        )

        time_window_view_type_0.additional_properties = d
        return time_window_view_type_0

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
