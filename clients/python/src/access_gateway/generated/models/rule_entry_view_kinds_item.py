from enum import StrEnum


class RuleEntryViewKindsItem(StrEnum):
    ALTER = "alter"
    ANALYZE = "analyze"
    BEGIN = "begin"
    CALL = "call"
    CHECKPOINT = "checkpoint"
    CLOSE = "close"
    CLUSTER = "cluster"
    COMMENT = "comment"
    COMMIT = "commit"
    COPY = "copy"
    COPY_FILE = "copy_file"
    COPY_PROGRAM = "copy_program"
    CREATE = "create"
    DEALLOCATE = "deallocate"
    DECLARE_CURSOR = "declare_cursor"
    DELETE = "delete"
    DISCARD = "discard"
    DO = "do"
    DROP = "drop"
    EXECUTE = "execute"
    EXPLAIN = "explain"
    FETCH = "fetch"
    GRANT = "grant"
    IMPORT_FOREIGN_SCHEMA = "import_foreign_schema"
    INSERT = "insert"
    LISTEN = "listen"
    LOAD = "load"
    LOCK = "lock"
    MERGE = "merge"
    NOTIFY = "notify"
    OTHER = "other"
    OTHER_SESSIONS = "other_sessions"
    PREPARE = "prepare"
    PREPARE_TRANSACTION = "prepare_transaction"
    REFRESH = "refresh"
    REINDEX = "reindex"
    RELEASE = "release"
    RESET = "reset"
    REVOKE = "revoke"
    ROLLBACK = "rollback"
    SAVEPOINT = "savepoint"
    SECURITY_LABEL = "security_label"
    SELECT = "select"
    SET = "set"
    SET_ROLE = "set_role"
    SHOW = "show"
    TRUNCATE = "truncate"
    UNLISTEN = "unlisten"
    UPDATE = "update"
    VACUUM = "vacuum"

    @classmethod
    def _missing_(cls, value: object) -> "RuleEntryViewKindsItem | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
