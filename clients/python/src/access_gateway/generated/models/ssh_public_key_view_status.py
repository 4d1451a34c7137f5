from enum import StrEnum


class SshPublicKeyViewStatus(StrEnum):
    ACTIVE = "active"
    EXPIRED = "expired"

    @classmethod
    def _missing_(cls, value: object) -> "SshPublicKeyViewStatus | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
