from enum import StrEnum


class ReadinessViewStatus(StrEnum):
    OK = "ok"

    @classmethod
    def _missing_(cls, value: object) -> "ReadinessViewStatus | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
