from enum import StrEnum


class GetSessionExpandItem(StrEnum):
    EVENT_STREAM = "event_stream"
    SESSION_INPUT = "session_input"

    @classmethod
    def _missing_(cls, value: object) -> "GetSessionExpandItem | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
