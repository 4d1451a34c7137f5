"""The events of a recording, and the stream that has them."""

import base64
import datetime
import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Event:
    """One piece of a recording."""

    time: datetime.timedelta
    """How long after the start of the session it happened."""
    type: str
    """`i` input, `o` output, `e` error output."""
    content: bytes


@dataclass(frozen=True)
class SessionEnd:
    """How a session ended."""

    status: str
    exit_code: int | None
    end_date: datetime.datetime | None


def event_of(fields: Any) -> Event:
    """Reads `[milliseconds, type, base64, ...]`."""
    try:
        milliseconds, kind, content = fields[:3]
        return Event(
            datetime.timedelta(milliseconds=milliseconds), str(kind), base64.b64decode(content, validate=True)
        )
    except (TypeError, ValueError) as error:
        raise ValueError(f"an event of the recording is not what the API describes: {error}") from error


class Reading:
    """What was read of a stream of server-sent events (HTML, "Server-sent events"), over all its answers."""

    def __init__(self, last_event_id: str) -> None:
        self.received = last_event_id
        """Id of the last message."""
        self.delivered = last_event_id
        """Id of the last message that completed an event."""
        self.end: SessionEnd | None = None
        self.is_over = False
        self._part: Event | None = None
        self.begin()

    def begin(self) -> None:
        """Another answer begins: what was cut of the last one is no message."""
        self._fields: dict[str, str] = {}
        self._data: list[str] = []

    def take(self, line: str) -> Event | None:
        """The event that this line completes, if it completes one."""
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                self._data.append(value)
            elif name in ("id", "event"):
                self._fields[name] = value
            return None
        fields, data = self._fields, "\n".join(self._data)
        self.begin()
        return self._message(fields, data) if data else None

    def _message(self, fields: dict[str, str], data: str) -> Event | None:
        kind = fields.get("event", "message")
        if kind == "end":
            self.received = self.delivered = fields.get("id", "")
            self.is_over = True
            self.end = end_of(json.loads(data))
            return None
        if kind != "message":
            return None
        triple = json.loads(data)
        event = event_of(triple)
        self.received = fields.get("id", "")
        if self._part is not None:
            event = Event(self._part.time, event.type, self._part.content + event.content)
            self._part = None
        # A fourth element, true, says that the event goes on in the next message.
        if len(triple) > 3 and triple[3] is True:
            self._part = event
            return None
        self.delivered = self.received
        return event


def end_of(fields: dict[str, Any]) -> SessionEnd:
    date = fields.get("end_date")
    return SessionEnd(
        fields["status"],
        fields.get("exit_code"),
        None if date is None else datetime.datetime.fromisoformat(date),
    )
