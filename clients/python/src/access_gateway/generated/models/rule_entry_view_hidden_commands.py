from enum import StrEnum


class RuleEntryViewHiddenCommands(StrEnum):
    ALLOW = "allow"
    REFUSE = "refuse"

    @classmethod
    def _missing_(cls, value: object) -> "RuleEntryViewHiddenCommands | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
