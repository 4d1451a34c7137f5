from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="TimeWindowConfigurationBody")


@_attrs_define
class TimeWindowConfigurationBody:
    """
    Attributes:
        start_time (str): HH:MM, UTC. Example: 22:00.
        end_time (str): HH:MM, UTC, exclusive; may be earlier than the start, on the next day. Example: 06:00.
    """

    start_time: str
    end_time: str

    def to_dict(self) -> dict[str, Any]:
        start_time = self.start_time

        end_time = self.end_time

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "start_time": start_time,
                "end_time": end_time,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        start_time = d.pop("start_time")

        end_time = d.pop("end_time")

        time_window_configuration_body = cls(
            start_time=start_time,
            end_time=end_time,
        )

        return time_window_configuration_body
