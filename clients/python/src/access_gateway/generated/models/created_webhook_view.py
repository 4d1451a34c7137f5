from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.created_webhook_view_events_item import CreatedWebhookViewEventsItem
from ..models.created_webhook_view_format import CreatedWebhookViewFormat

T = TypeVar("T", bound="CreatedWebhookView")


@_attrs_define
class CreatedWebhookView:
    """
    Attributes:
        id (UUID):
        url (str):  Example: https://hooks.example.com/gateway.
        events (list[CreatedWebhookViewEventsItem]):
        format_ (CreatedWebhookViewFormat):
        description (str):
        enabled (bool):
        disabled_reason (None | str): Why the gateway disabled the webhook: the endpoint answered with status 410.
        created_at (datetime.datetime):
        updated_at (datetime.datetime):
        secret (str): Secret with which messages are signed, as in Standard Webhooks. It is shown only once. Example:
            whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw.
    """

    id: UUID
    url: str
    events: list[CreatedWebhookViewEventsItem]
    format_: CreatedWebhookViewFormat
    description: str
    enabled: bool
    disabled_reason: None | str
    created_at: datetime.datetime
    updated_at: datetime.datetime
    secret: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = str(self.id)

        url = self.url

        events = []
        for events_item_data in self.events:
            events_item = events_item_data.value
            events.append(events_item)

        format_ = self.format_.value

        description = self.description

        enabled = self.enabled

        disabled_reason: None | str
        disabled_reason = self.disabled_reason

        created_at = self.created_at.isoformat()

        updated_at = self.updated_at.isoformat()

        secret = self.secret

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "url": url,
                "events": events,
                "format": format_,
                "description": description,
                "enabled": enabled,
                "disabled_reason": disabled_reason,
                "created_at": created_at,
                "updated_at": updated_at,
                "secret": secret,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = UUID(d.pop("id"))

        url = d.pop("url")

        events = []
        _events = d.pop("events")
        for events_item_data in _events:
            events_item = CreatedWebhookViewEventsItem(events_item_data)

            events.append(events_item)

        format_ = CreatedWebhookViewFormat(d.pop("format"))

        description = d.pop("description")

        enabled = d.pop("enabled")

        def _parse_disabled_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        disabled_reason = _parse_disabled_reason(d.pop("disabled_reason"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at"))

        secret = d.pop("secret")

        created_webhook_view = cls(
            id=id,
            url=url,
            events=events,
            format_=format_,
            description=description,
            enabled=enabled,
            disabled_reason=disabled_reason,
            created_at=created_at,
            updated_at=updated_at,
            secret=secret,
        )

        created_webhook_view.additional_properties = d
        return created_webhook_view

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
