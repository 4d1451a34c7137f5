from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.retention_run_view_outcome import RetentionRunViewOutcome

T = TypeVar("T", bound="RetentionRunView")


@_attrs_define
class RetentionRunView:
    """
    Attributes:
        id (UUID):
        started_by (None | str): Who started the run; null for a scheduled run.
        started_at (datetime.datetime):
        finished_at (datetime.datetime | None):
        outcome (RetentionRunViewOutcome): `stopped`: its gateway was shut down. `interrupted`: its gateway died. In
            both cases the next run continues.
        due (int): Recordings whose retention had ended at the start of the run, without those on legal hold.
        purged (int): Number of these recordings that were made unreadable.
        bytes_ (int): Recorded bytes of the purged recordings.
        removed (int): Recordings removed from the disk.
        months_dropped (int): Months removed as a whole, because nothing of them had to be kept.
        held_back (int): Recordings that are kept only because of a legal hold.
        error (None | str): What went wrong.
    """

    id: UUID
    started_by: None | str
    started_at: datetime.datetime
    finished_at: datetime.datetime | None
    outcome: RetentionRunViewOutcome
    due: int
    purged: int
    bytes_: int
    removed: int
    months_dropped: int
    held_back: int
    error: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = str(self.id)

        started_by: None | str
        started_by = self.started_by

        started_at = self.started_at.isoformat()

        finished_at: None | str
        if isinstance(self.finished_at, datetime.datetime):
            finished_at = self.finished_at.isoformat()
        else:
            finished_at = self.finished_at

        outcome = self.outcome.value

        due = self.due

        purged = self.purged

        bytes_ = self.bytes_

        removed = self.removed

        months_dropped = self.months_dropped

        held_back = self.held_back

        error: None | str
        error = self.error

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "started_by": started_by,
                "started_at": started_at,
                "finished_at": finished_at,
                "outcome": outcome,
                "due": due,
                "purged": purged,
                "bytes": bytes_,
                "removed": removed,
                "months_dropped": months_dropped,
                "held_back": held_back,
                "error": error,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = UUID(d.pop("id"))

        def _parse_started_by(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        started_by = _parse_started_by(d.pop("started_by"))

        started_at = datetime.datetime.fromisoformat(d.pop("started_at"))

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

        outcome = RetentionRunViewOutcome(d.pop("outcome"))

        due = d.pop("due")

        purged = d.pop("purged")

        bytes_ = d.pop("bytes")

        removed = d.pop("removed")

        months_dropped = d.pop("months_dropped")

        held_back = d.pop("held_back")

        def _parse_error(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        error = _parse_error(d.pop("error"))

        retention_run_view = cls(
            id=id,
            started_by=started_by,
            started_at=started_at,
            finished_at=finished_at,
            outcome=outcome,
            due=due,
            purged=purged,
            bytes_=bytes_,
            removed=removed,
            months_dropped=months_dropped,
            held_back=held_back,
            error=error,
        )

        retention_run_view.additional_properties = d
        return retention_run_view

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
