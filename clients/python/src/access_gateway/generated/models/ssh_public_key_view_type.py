from enum import StrEnum


class SshPublicKeyViewType(StrEnum):
    ECDSA_SHA2_NISTP256 = "ecdsa-sha2-nistp256"
    ECDSA_SHA2_NISTP384 = "ecdsa-sha2-nistp384"
    ECDSA_SHA2_NISTP521 = "ecdsa-sha2-nistp521"
    SSH_ED25519 = "ssh-ed25519"
    SSH_RSA = "ssh-rsa"

    @classmethod
    def _missing_(cls, value: object) -> "SshPublicKeyViewType | None":
        """A later gateway may have values that this version does not know."""
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
