from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.get_session_event_stream import GetSessionEventStream
from ...models.get_session_event_time import GetSessionEventTime
from ...models.get_session_events_item import GetSessionEventsItem
from ...models.get_session_expand_item import GetSessionExpandItem
from ...models.get_session_new_line import GetSessionNewLine
from ...models.session_view import SessionView
from ...types import UNSET, Unset


def request(
    session_id: UUID | str,
    *,
    event_time: GetSessionEventTime | Unset = GetSessionEventTime.VALUE_0,
    new_line: GetSessionNewLine | Unset = GetSessionNewLine.VALUE_0,
    event_stream: GetSessionEventStream | Unset = UNSET,
    events: list[GetSessionEventsItem] | Unset = UNSET,
    expand: list[GetSessionExpandItem] | Unset = UNSET,
    extension: str | Unset = UNSET,
) -> Request:
    params: dict[str, Any] = {}

    json_event_time: str | Unset = UNSET
    if not isinstance(event_time, Unset):
        json_event_time = event_time.value

    params["event-time"] = json_event_time

    json_new_line: str | Unset = UNSET
    if not isinstance(new_line, Unset):
        json_new_line = new_line.value

    params["new_line"] = json_new_line

    json_event_stream: str | Unset = UNSET
    if not isinstance(event_stream, Unset):
        json_event_stream = event_stream.value

    params["event_stream"] = json_event_stream

    json_events: list[str] | Unset = UNSET
    if not isinstance(events, Unset):
        json_events = []
        for events_item_data in events:
            events_item = events_item_data.value
            json_events.append(events_item)

    params["events"] = json_events

    json_expand: list[str] | Unset = UNSET
    if not isinstance(expand, Unset):
        json_expand = []
        for expand_item_data in expand:
            expand_item = expand_item_data.value
            json_expand.append(expand_item)

    params["expand"] = json_expand

    params["extension"] = extension

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/sessions/{session_id}".format(
            session_id=quote(str(session_id), safe=""),
        ),
        params=params,
    )


def read(answer: Any) -> SessionView:
    response_200 = SessionView.from_dict(answer)

    return response_200
