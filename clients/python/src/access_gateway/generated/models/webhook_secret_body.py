from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="WebhookSecretBody")


@_attrs_define
class WebhookSecretBody:
    """
    Attributes:
        secret (str | Unset): `whsec_` followed by the base64 of 24 to 64 bytes. Default: a random secret. Example:
            whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw.
    """

    secret: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        secret = self.secret

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if secret is not UNSET:
            field_dict["secret"] = secret

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        secret = d.pop("secret", UNSET)

        webhook_secret_body = cls(
            secret=secret,
        )

        return webhook_secret_body
