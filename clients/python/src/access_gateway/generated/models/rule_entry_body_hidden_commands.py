from enum import StrEnum


class RuleEntryBodyHiddenCommands(StrEnum):
    ALLOW = "allow"
    REFUSE = "refuse"

    @classmethod
    def _missing_(cls, value: object) -> "RuleEntryBodyHiddenCommands | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
