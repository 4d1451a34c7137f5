from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.download_link_body_event_time import DownloadLinkBodyEventTime
from ..models.download_link_body_events_item import DownloadLinkBodyEventsItem
from ..models.download_link_body_new_line import DownloadLinkBodyNewLine
from ..types import UNSET, Unset

T = TypeVar("T", bound="DownloadLinkBody")


@_attrs_define
class DownloadLinkBody:
    """
    Attributes:
        extension (str | Unset): File extension, which selects the format. Default: txt, the plain content. Example:
            csv.
        event_time (DownloadLinkBodyEventTime | Unset): Prefix each event with its event time. Default: 0.
        new_line (DownloadLinkBodyNewLine | Unset): Add a line break after each event. Default: 0.
        events (list[DownloadLinkBodyEventsItem] | Unset): Event types to include: input, output, error. Default: o and
            e.
    """

    extension: str | Unset = UNSET
    event_time: DownloadLinkBodyEventTime | Unset = UNSET
    new_line: DownloadLinkBodyNewLine | Unset = UNSET
    events: list[DownloadLinkBodyEventsItem] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        extension = self.extension

        event_time: str | Unset = UNSET
        if not isinstance(self.event_time, Unset):
            event_time = self.event_time.value

        new_line: str | Unset = UNSET
        if not isinstance(self.new_line, Unset):
            new_line = self.new_line.value

        events: list[str] | Unset = UNSET
        if not isinstance(self.events, Unset):
            events = []
            for events_item_data in self.events:
                events_item = events_item_data.value
                events.append(events_item)

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if extension is not UNSET:
            field_dict["extension"] = extension
        if event_time is not UNSET:
            field_dict["event-time"] = event_time
        if new_line is not UNSET:
            field_dict["new_line"] = new_line
        if events is not UNSET:
            field_dict["events"] = events

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        extension = d.pop("extension", UNSET)

        _event_time = d.pop("event-time", UNSET)
        event_time: DownloadLinkBodyEventTime | Unset
        if isinstance(_event_time, Unset):
            event_time = UNSET
        else:
            event_time = DownloadLinkBodyEventTime(_event_time)

        _new_line = d.pop("new_line", UNSET)
        new_line: DownloadLinkBodyNewLine | Unset
        if isinstance(_new_line, Unset):
            new_line = UNSET
        else:
            new_line = DownloadLinkBodyNewLine(_new_line)

        _events = d.pop("events", UNSET)
        events: list[DownloadLinkBodyEventsItem] | Unset = UNSET
        if _events is not UNSET:
            events = []
            for events_item_data in _events:
                events_item = DownloadLinkBodyEventsItem(events_item_data)

                events.append(events_item)

        download_link_body = cls(
            extension=extension,
            event_time=event_time,
            new_line=new_line,
            events=events,
        )

        return download_link_body
