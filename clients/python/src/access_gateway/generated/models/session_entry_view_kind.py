from enum import StrEnum


class SessionEntryViewKind(StrEnum):
    ADOPTED = "adopted"
    CLOSED = "closed"
    GROWN = "grown"
    HOLD = "hold"
    METADATA = "metadata"
    MISSING = "missing"
    OPENED = "opened"
    REMOVED = "removed"

    @classmethod
    def _missing_(cls, value: object) -> "SessionEntryViewKind | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
