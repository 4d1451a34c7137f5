from enum import StrEnum


class RuleEntryBodyType(StrEnum):
    DENY_WORDS_LIST = "deny_words_list"
    DETECTOR = "detector"
    FILE_TRANSFER = "file_transfer"
    PATTERN_MATCH = "pattern_match"
    SHELL_COMMAND = "shell_command"
    SQL_STATEMENT = "sql_statement"

    @classmethod
    def _missing_(cls, value: object) -> "RuleEntryBodyType | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
