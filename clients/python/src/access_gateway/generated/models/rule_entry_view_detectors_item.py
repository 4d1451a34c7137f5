from enum import StrEnum


class RuleEntryViewDetectorsItem(StrEnum):
    AWS_KEY = "aws_key"
    EMAIL = "email"
    IBAN = "iban"
    JWT = "jwt"
    PAYMENT_CARD = "payment_card"
    PHONE = "phone"
    PRIVATE_KEY = "private_key"
    US_SSN = "us_ssn"

    @classmethod
    def _missing_(cls, value: object) -> "RuleEntryViewDetectorsItem | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
