from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="WebhookSecretView")


@_attrs_define
class WebhookSecretView:
    """
    Attributes:
        secret (str): The new secret. It is shown only once. Example: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw.
        previous_valid_until (datetime.datetime): Until then, messages are also signed with the previous secret.
    """

    secret: str
    previous_valid_until: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        secret = self.secret

        previous_valid_until = self.previous_valid_until.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "secret": secret,
                "previous_valid_until": previous_valid_until,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        secret = d.pop("secret")

        previous_valid_until = datetime.datetime.fromisoformat(d.pop("previous_valid_until"))

        webhook_secret_view = cls(
            secret=secret,
            previous_valid_until=previous_valid_until,
        )

        webhook_secret_view.additional_properties = d
        return webhook_secret_view

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
