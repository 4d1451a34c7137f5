from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.delivery_view_state import DeliveryViewState

T = TypeVar("T", bound="DeliveryView")


@_attrs_define
class DeliveryView:
    """
    Attributes:
        id (UUID):
        event_id (UUID): The `webhook-id` of the message, the same in each attempt.
        event_type (str):  Example: review.requested.
        subject_id (UUID): The session that the event is about, otherwise the review or the credential. Messages with
            the same subject arrive in order.
        state (DeliveryViewState): `dead`: it is not sent any more unless it is replayed.
        attempts (int): Number of attempts since the delivery was queued or replayed.
        last_attempt_at (datetime.datetime | None):
        last_status (int | None): HTTP status of the last answer; null where there was none.
        last_error (None | str):
        next_attempt_at (datetime.datetime | None): Time of the next attempt; null while it is being sent, while it
            waits for an earlier message, or when no further attempt will be made.
        created_at (datetime.datetime):
        finished_at (datetime.datetime | None):
    """

    id: UUID
    event_id: UUID
    event_type: str
    subject_id: UUID
    state: DeliveryViewState
    attempts: int
    last_attempt_at: datetime.datetime | None
    last_status: int | None
    last_error: None | str
    next_attempt_at: datetime.datetime | None
    created_at: datetime.datetime
    finished_at: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = str(self.id)

        event_id = str(self.event_id)

        event_type = self.event_type

        subject_id = str(self.subject_id)

        state = self.state.value

        attempts = self.attempts

        last_attempt_at: None | str
        if isinstance(self.last_attempt_at, datetime.datetime):
            last_attempt_at = self.last_attempt_at.isoformat()
        else:
            last_attempt_at = self.last_attempt_at

        last_status: int | None
        last_status = self.last_status

        last_error: None | str
        last_error = self.last_error

        next_attempt_at: None | str
        if isinstance(self.next_attempt_at, datetime.datetime):
            next_attempt_at = self.next_attempt_at.isoformat()
        else:
            next_attempt_at = self.next_attempt_at

        created_at = self.created_at.isoformat()

        finished_at: None | str
        if isinstance(self.finished_at, datetime.datetime):
            finished_at = self.finished_at.isoformat()
        else:
            finished_at = self.finished_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "event_id": event_id,
                "event_type": event_type,
                "subject_id": subject_id,
                "state": state,
                "attempts": attempts,
                "last_attempt_at": last_attempt_at,
                "last_status": last_status,
                "last_error": last_error,
                "next_attempt_at": next_attempt_at,
                "created_at": created_at,
                "finished_at": finished_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = UUID(d.pop("id"))

        event_id = UUID(d.pop("event_id"))

        event_type = d.pop("event_type")

        subject_id = UUID(d.pop("subject_id"))

        state = DeliveryViewState(d.pop("state"))

        attempts = d.pop("attempts")

        def _parse_last_attempt_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_attempt_at_type_0 = datetime.datetime.fromisoformat(data)

                return last_attempt_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        last_attempt_at = _parse_last_attempt_at(d.pop("last_attempt_at"))

        def _parse_last_status(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        last_status = _parse_last_status(d.pop("last_status"))

        def _parse_last_error(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        last_error = _parse_last_error(d.pop("last_error"))

        def _parse_next_attempt_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                next_attempt_at_type_0 = datetime.datetime.fromisoformat(data)

                return next_attempt_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        next_attempt_at = _parse_next_attempt_at(d.pop("next_attempt_at"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        def _parse_finished_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                finished_at_type_0 = datetime.datetime.fromisoformat(data)

                return finished_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        finished_at = _parse_finished_at(d.pop("finished_at"))

        delivery_view = cls(
            id=id,
            event_id=event_id,
            event_type=event_type,
            subject_id=subject_id,
            state=state,
            attempts=attempts,
            last_attempt_at=last_attempt_at,
            last_status=last_status,
            last_error=last_error,
            next_attempt_at=next_attempt_at,
            created_at=created_at,
            finished_at=finished_at,
        )

        delivery_view.additional_properties = d
        return delivery_view

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
