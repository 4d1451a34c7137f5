from enum import StrEnum


class ConnectionKindViewSubtype(StrEnum):
    MCPPROXY = "mcpproxy"
    POSTGRES = "postgres"
    SSH = "ssh"

    @classmethod
    def _missing_(cls, value: object) -> "ConnectionKindViewSubtype | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
