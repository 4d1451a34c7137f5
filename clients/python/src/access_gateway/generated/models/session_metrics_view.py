from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.data_masking_view import DataMaskingView
    from ..models.guardrail_metrics_view import GuardrailMetricsView


T = TypeVar("T", bound="SessionMetricsView")


@_attrs_define
class SessionMetricsView:
    """
    Attributes:
        event_size (int): Stored size in bytes.
        events_received (int): Events handed to the recorder.
        events_stored (int): Events durable in the store.
        events_buffered (int): Events received and not stored yet.
        guardrails (GuardrailMetricsView):
        data_masking (DataMaskingView):
    """

    event_size: int
    events_received: int
    events_stored: int
    events_buffered: int
    guardrails: GuardrailMetricsView
    data_masking: DataMaskingView
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        event_size = self.event_size

        events_received = self.events_received

        events_stored = self.events_stored

        events_buffered = self.events_buffered

        guardrails = self.guardrails.to_dict()

        data_masking = self.data_masking.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "event_size": event_size,
                "events_received": events_received,
                "events_stored": events_stored,
                "events_buffered": events_buffered,
                "guardrails": guardrails,
                "data_masking": data_masking,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.data_masking_view import DataMaskingView
        from ..models.guardrail_metrics_view import GuardrailMetricsView

        d = dict(src_dict)
        event_size = d.pop("event_size")

        events_received = d.pop("events_received")

        events_stored = d.pop("events_stored")

        events_buffered = d.pop("events_buffered")

        guardrails = GuardrailMetricsView.from_dict(d.pop("guardrails"))

        data_masking = DataMaskingView.from_dict(d.pop("data_masking"))

        session_metrics_view = cls(
            event_size=event_size,
            events_received=events_received,
            events_stored=events_stored,
            events_buffered=events_buffered,
            guardrails=guardrails,
            data_masking=data_masking,
        )

        session_metrics_view.additional_properties = d
        return session_metrics_view

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
