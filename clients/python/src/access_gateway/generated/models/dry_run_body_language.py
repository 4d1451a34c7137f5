from enum import StrEnum


class DryRunBodyLanguage(StrEnum):
    FILE_OPERATION = "file_operation"
    POSTGRESQL = "postgresql"
    SHELL = "shell"

    @classmethod
    def _missing_(cls, value: object) -> "DryRunBodyLanguage | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
