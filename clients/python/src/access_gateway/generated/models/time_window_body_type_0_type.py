from enum import StrEnum


class TimeWindowBodyType0Type(StrEnum):
    TIME_RANGE = "time_range"

    @classmethod
    def _missing_(cls, value: object) -> "TimeWindowBodyType0Type | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
