from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.webhook_change_body_events_item import WebhookChangeBodyEventsItem
from ..models.webhook_change_body_format import WebhookChangeBodyFormat
from ..types import UNSET, Unset

T = TypeVar("T", bound="WebhookChangeBody")


@_attrs_define
class WebhookChangeBody:
    """
    Attributes:
        url (str): URL to which messages are posted: https, on a public address, unless the setting
            WEBHOOK_ALLOWED_HOSTS lists its host. Treat it as a secret: often it is all that is needed to post there. Only
            admins see it. Example: https://hooks.example.com/gateway.
        events (list[WebhookChangeBodyEventsItem]): Events that are sent to it. Example: ['review.requested',
            'review.decided'].
        format_ (WebhookChangeBodyFormat | Unset): `standard`: type, time and data, in the format of Standard Webhooks.
            `slack`, `teams`: one sentence with a link, in the format of that chat’s incoming webhooks. Default: standard.
        description (str | Unset): Free text. Default: empty. Example: Kept by the data team..
        enabled (bool | Unset): While false, no new events are queued, and pending deliveries stay pending. Default:
            true.
        secret (str | Unset): Omit it, or send the current secret: the answer to the creation can be sent back
            unchanged. To change it, use `POST /webhooks/{id}/rotate-secret`.
    """

    url: str
    events: list[WebhookChangeBodyEventsItem]
    format_: WebhookChangeBodyFormat | Unset = UNSET
    description: str | Unset = UNSET
    enabled: bool | Unset = UNSET
    secret: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        url = self.url

        events = []
        for events_item_data in self.events:
            events_item = events_item_data.value
            events.append(events_item)

        format_: str | Unset = UNSET
        if not isinstance(self.format_, Unset):
            format_ = self.format_.value

        description = self.description

        enabled = self.enabled

        secret = self.secret

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "url": url,
                "events": events,
            }
        )
        if format_ is not UNSET:
            field_dict["format"] = format_
        if description is not UNSET:
            field_dict["description"] = description
        if enabled is not UNSET:
            field_dict["enabled"] = enabled
        if secret is not UNSET:
            field_dict["secret"] = secret

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        url = d.pop("url")

        events = []
        _events = d.pop("events")
        for events_item_data in _events:
            events_item = WebhookChangeBodyEventsItem(events_item_data)

            events.append(events_item)

        _format_ = d.pop("format", UNSET)
        format_: WebhookChangeBodyFormat | Unset
        if isinstance(_format_, Unset):
            format_ = UNSET
        else:
            format_ = WebhookChangeBodyFormat(_format_)

        description = d.pop("description", UNSET)

        enabled = d.pop("enabled", UNSET)

        secret = d.pop("secret", UNSET)

        webhook_change_body = cls(
            url=url,
            events=events,
            format_=format_,
            description=description,
            enabled=enabled,
            secret=secret,
        )

        return webhook_change_body
