from enum import StrEnum


class AppliedAccessRuleViewAccessType(StrEnum):
    COMMAND = "command"
    JIT = "jit"
    JIT_COMMAND = "jit_command"

    @classmethod
    def _missing_(cls, value: object) -> "AppliedAccessRuleViewAccessType | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
