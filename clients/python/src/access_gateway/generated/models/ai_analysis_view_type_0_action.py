from enum import StrEnum


class AiAnalysisViewType0Action(StrEnum):
    ALLOW_EXECUTION = "allow_execution"
    BLOCK_EXECUTION = "block_execution"
    REQUIRE_ACCESS_REQUEST = "require_access_request"

    @classmethod
    def _missing_(cls, value: object) -> "AiAnalysisViewType0Action | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
