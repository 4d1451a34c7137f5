from enum import StrEnum


class GetSessionEventStream(StrEnum):
    BASE64 = "base64"
    RAW_QUERIES = "raw-queries"
    UTF8 = "utf8"

    @classmethod
    def _missing_(cls, value: object) -> "GetSessionEventStream | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
