from enum import StrEnum


class ListReviewsMine(StrEnum):
    REQUESTED = "requested"
    TO_DECIDE = "to_decide"
    TO_SIGN_OFF = "to_sign_off"

    @classmethod
    def _missing_(cls, value: object) -> "ListReviewsMine | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
