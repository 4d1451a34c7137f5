from enum import StrEnum


class RuleEntryViewFileOperationsItem(StrEnum):
    DELETE = "delete"
    INSPECT = "inspect"
    LINK = "link"
    LIST = "list"
    READ = "read"
    RENAME = "rename"
    WRITE = "write"

    @classmethod
    def _missing_(cls, value: object) -> "RuleEntryViewFileOperationsItem | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
