from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.time_window_body_type_0_type import TimeWindowBodyType0Type

if TYPE_CHECKING:
    from ..models.time_window_configuration_body import TimeWindowConfigurationBody


T = TypeVar("T", bound="TimeWindowBodyType0")


@_attrs_define
class TimeWindowBodyType0:
    """
    Attributes:
        type_ (TimeWindowBodyType0Type):
        configuration (TimeWindowConfigurationBody):
    """

    type_: TimeWindowBodyType0Type
    configuration: TimeWindowConfigurationBody

    def to_dict(self) -> dict[str, Any]:
        type_ = self.type_.value

        configuration = self.configuration.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "type": type_,
                "configuration": configuration,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.time_window_configuration_body import TimeWindowConfigurationBody

        d = dict(src_dict)
        type_ = TimeWindowBodyType0Type(d.pop("type"))

        configuration = TimeWindowConfigurationBody.from_dict(d.pop("configuration"))

        time_window_body_type_0 = cls(
            type_=type_,
            configuration=configuration,
        )

        return time_window_body_type_0
