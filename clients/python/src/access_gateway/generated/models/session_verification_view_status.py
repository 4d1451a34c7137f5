from enum import StrEnum


class SessionVerificationViewStatus(StrEnum):
    BROKEN = "broken"
    PURGED = "purged"
    UNFINISHED = "unfinished"
    UNKNOWN_KEY = "unknown_key"
    UNSEALED = "unsealed"
    VALID = "valid"

    @classmethod
    def _missing_(cls, value: object) -> "SessionVerificationViewStatus | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
