from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.retention_run_view import RetentionRunView


T = TypeVar("T", bound="RetentionView")


@_attrs_define
class RetentionView:
    """
    Attributes:
        running (bool): Whether a run is in progress.
        started_at (datetime.datetime | None): Start of the last run, which may be in progress; null before the first
            run.
        due (int): Of that run, as below.
        purged (int): Of that run, as below.
        bytes_ (int): Of that run, as below.
        held_back (int): Of that run, as below.
        waiting (int): Purged recordings that are still on the disk.
        last_finished_at (datetime.datetime | None):
        last_error (None | str): Of the last run that is over; null: all went well.
        runs (list[RetentionRunView]): The last 20, newest first.
    """

    running: bool
    started_at: datetime.datetime | None
    due: int
    purged: int
    bytes_: int
    held_back: int
    waiting: int
    last_finished_at: datetime.datetime | None
    last_error: None | str
    runs: list[RetentionRunView]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        running = self.running

        started_at: None | str
        if isinstance(self.started_at, datetime.datetime):
            started_at = self.started_at.isoformat()
        else:
            started_at = self.started_at

        due = self.due

        purged = self.purged

        bytes_ = self.bytes_

        held_back = self.held_back

        waiting = self.waiting

        last_finished_at: None | str
        if isinstance(self.last_finished_at, datetime.datetime):
            last_finished_at = self.last_finished_at.isoformat()
        else:
            last_finished_at = self.last_finished_at

        last_error: None | str
        last_error = self.last_error

        runs = []
        for runs_item_data in self.runs:
            runs_item = runs_item_data.to_dict()
            runs.append(runs_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "running": running,
                "started_at": started_at,
                "due": due,
                "purged": purged,
                "bytes": bytes_,
                "held_back": held_back,
                "waiting": waiting,
                "last_finished_at": last_finished_at,
                "last_error": last_error,
                "runs": runs,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.retention_run_view import RetentionRunView

        d = dict(src_dict)
        running = d.pop("running")

        def _parse_started_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                started_at_type_0 = datetime.datetime.fromisoformat(data)

                return started_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        started_at = _parse_started_at(d.pop("started_at"))

        due = d.pop("due")

        purged = d.pop("purged")

        bytes_ = d.pop("bytes")

        held_back = d.pop("held_back")

        waiting = d.pop("waiting")

        def _parse_last_finished_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_finished_at_type_0 = datetime.datetime.fromisoformat(data)

                return last_finished_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        last_finished_at = _parse_last_finished_at(d.pop("last_finished_at"))

        def _parse_last_error(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        last_error = _parse_last_error(d.pop("last_error"))

        runs = []
        _runs = d.pop("runs")
        for runs_item_data in _runs:
            runs_item = RetentionRunView.from_dict(runs_item_data)

            runs.append(runs_item)

        retention_view = cls(
            running=running,
            started_at=started_at,
            due=due,
            purged=purged,
            bytes_=bytes_,
            held_back=held_back,
            waiting=waiting,
            last_finished_at=last_finished_at,
            last_error=last_error,
            runs=runs,
        )

        retention_view.additional_properties = d
        return retention_view

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
