from enum import StrEnum


class ConnectionPatchBodyRecordingModeType3Type1(StrEnum):
    JOURNAL = "journal"
    JOURNALFSYNC = "journal+fsync"
    STORE = "store"

    @classmethod
    def _missing_(cls, value: object) -> "ConnectionPatchBodyRecordingModeType3Type1 | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
