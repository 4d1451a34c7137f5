from enum import StrEnum


class ReasonViewCode(StrEnum):
    ACCESS_GROUPS_NOT_ENFORCED = "access_groups_not_enforced"
    ACCESS_RULES_NOT_ENFORCED = "access_rules_not_enforced"
    AUDITORS_ONLY_READ = "auditors_only_read"
    EMERGENCY_ACCESS = "emergency_access"
    NOT_IN_ACCESS_GROUPS = "not_in_access_groups"
    NO_ROLE = "no_role"
    NO_RULE_APPLIES = "no_rule_applies"
    REVIEW_REQUIRED = "review_required"
    REVIEW_SKIPPED = "review_skipped"
    USER_INACTIVE = "user_inactive"
    VERB_DISABLED = "verb_disabled"

    @classmethod
    def _missing_(cls, value: object) -> "ReasonViewCode | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
