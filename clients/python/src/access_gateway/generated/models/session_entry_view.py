from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.session_entry_view_kind import SessionEntryViewKind

T = TypeVar("T", bound="SessionEntryView")


@_attrs_define
class SessionEntryView:
    """
    Attributes:
        number (int): Number of the entry in the ledger. Example: 17.
        kind (SessionEntryViewKind): Why it was written. `opened`: the session ran. `closed`: it is over. `adopted`: it
            was over before there was a ledger, and was sealed as it was found then. `grown`: a journal brought more of the
            recording. `metadata`, `hold`: that was changed. `removed`: the recording was removed after its retention.
            `missing`: its row was gone.
        recorded_at (datetime.datetime): When it was written.
        key_id (str): Id of the key that signed it. Example: 9f86d081.
    """

    number: int
    kind: SessionEntryViewKind
    recorded_at: datetime.datetime
    key_id: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        kind = self.kind.value

        recorded_at = self.recorded_at.isoformat()

        key_id = self.key_id

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "number": number,
                "kind": kind,
                "recorded_at": recorded_at,
                "key_id": key_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        number = d.pop("number")

        kind = SessionEntryViewKind(d.pop("kind"))

        recorded_at = datetime.datetime.fromisoformat(d.pop("recorded_at"))

        key_id = d.pop("key_id")

        session_entry_view = cls(
            number=number,
            kind=kind,
            recorded_at=recorded_at,
            key_id=key_id,
        )

        session_entry_view.additional_properties = d
        return session_entry_view

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
