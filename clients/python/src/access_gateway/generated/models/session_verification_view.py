from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.session_verification_view_status import SessionVerificationViewStatus

if TYPE_CHECKING:
    from ..models.recording_fault_view import RecordingFaultView
    from ..models.session_entry_view import SessionEntryView


T = TypeVar("T", bound="SessionVerificationView")


@_attrs_define
class SessionVerificationView:
    """
    Attributes:
        status (SessionVerificationViewStatus): `valid`: the session and its recording are complete, as they were
            recorded, and sealed. `unsealed`: complete and linked, but without a seal, as before there were seals.
            `unfinished`: as recorded so far; the session is not over. `broken`: not what was recorded; `faults` say why.
            `purged`: the recording was removed after its retention, and the removal is sealed. `unknown_key`: nothing is
            wrong as far as it can be checked, but the seals were made by keys that are neither in `SECRET_KEY` nor
            published; `unknown_keys` has their ids.
        chunks (int):
        events (int):
        size (int): Bytes of the events’ contents.
        chain_hash (str): Hash of the last chunk (SHA-256, hex), to be compared with an evidence file. Example:
            2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae.
        sealed (bool): Whether the recording has a valid seal of the gateway.
        entries (list[SessionEntryView]): Entries of the session in the ledger, in order. The session’s row must match
            the last one. Empty while the first one is pending.
        unknown_keys (list[str]): Ids of unknown keys that made seals or signatures. Example: [].
        faults (list[RecordingFaultView]): The first 100.
    """

    status: SessionVerificationViewStatus
    chunks: int
    events: int
    size: int
    chain_hash: str
    sealed: bool
    entries: list[SessionEntryView]
    unknown_keys: list[str]
    faults: list[RecordingFaultView]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        status = self.status.value

        chunks = self.chunks

        events = self.events

        size = self.size

        chain_hash = self.chain_hash

        sealed = self.sealed

        entries = []
        for entries_item_data in self.entries:
            entries_item = entries_item_data.to_dict()
            entries.append(entries_item)

        unknown_keys = self.unknown_keys

        faults = []
        for faults_item_data in self.faults:
            faults_item = faults_item_data.to_dict()
            faults.append(faults_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "status": status,
                "chunks": chunks,
                "events": events,
                "size": size,
                "chain_hash": chain_hash,
                "sealed": sealed,
                "entries": entries,
                "unknown_keys": unknown_keys,
                "faults": faults,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.recording_fault_view import RecordingFaultView
        from ..models.session_entry_view import SessionEntryView

        d = dict(src_dict)
        status = SessionVerificationViewStatus(d.pop("status"))

        chunks = d.pop("chunks")

        events = d.pop("events")

        size = d.pop("size")

        chain_hash = d.pop("chain_hash")

        sealed = d.pop("sealed")

        entries = []
        _entries = d.pop("entries")
        for entries_item_data in _entries:
            entries_item = SessionEntryView.from_dict(entries_item_data)

            entries.append(entries_item)

        unknown_keys = cast(list[str], d.pop("unknown_keys"))

        faults = []
        _faults = d.pop("faults")
        for faults_item_data in _faults:
            faults_item = RecordingFaultView.from_dict(faults_item_data)

            faults.append(faults_item)

        session_verification_view = cls(
            status=status,
            chunks=chunks,
            events=events,
            size=size,
            chain_hash=chain_hash,
            sealed=sealed,
            entries=entries,
            unknown_keys=unknown_keys,
            faults=faults,
        )

        session_verification_view.additional_properties = d
        return session_verification_view

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
