from enum import StrEnum


class WebhookViewEventsItem(StrEnum):
    ACCESS_REVOKED = "access.revoked"
    MCP_TOOL_CHANGED = "mcp.tool.changed"
    REVIEW_DECIDED = "review.decided"
    REVIEW_REQUESTED = "review.requested"
    REVIEW_SIGNED_OFF = "review.signed_off"
    SESSION_BLOCKED = "session.blocked"
    SESSION_ENDED = "session.ended"
    SESSION_STARTED = "session.started"

    @classmethod
    def _missing_(cls, value: object) -> "WebhookViewEventsItem | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
