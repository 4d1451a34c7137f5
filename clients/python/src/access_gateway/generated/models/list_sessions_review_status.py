from enum import StrEnum


class ListSessionsReviewStatus(StrEnum):
    APPROVED = "APPROVED"
    EXECUTED = "EXECUTED"
    EXPIRED = "EXPIRED"
    PENDING = "PENDING"
    PROCESSING = "PROCESSING"
    REJECTED = "REJECTED"
    REVOKED = "REVOKED"
    UNKNOWN = "UNKNOWN"

    @classmethod
    def _missing_(cls, value: object) -> "ListSessionsReviewStatus | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
