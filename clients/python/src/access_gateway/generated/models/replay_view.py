from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ReplayView")


@_attrs_define
class ReplayView:
    """
    Attributes:
        sessions (int): Sessions replayed.
        blocked (int): Sessions that would have been blocked.
        session_ids (list[UUID]): Sessions that would have been blocked.
    """

    sessions: int
    blocked: int
    session_ids: list[UUID]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        sessions = self.sessions

        blocked = self.blocked

        session_ids = []
        for session_ids_item_data in self.session_ids:
            session_ids_item = str(session_ids_item_data)
            session_ids.append(session_ids_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "sessions": sessions,
                "blocked": blocked,
                "session_ids": session_ids,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        sessions = d.pop("sessions")

        blocked = d.pop("blocked")

        session_ids = []
        _session_ids = d.pop("session_ids")
        for session_ids_item_data in _session_ids:
            session_ids_item = UUID(session_ids_item_data)

            session_ids.append(session_ids_item)

        replay_view = cls(
            sessions=sessions,
            blocked=blocked,
            session_ids=session_ids,
        )

        replay_view.additional_properties = d
        return replay_view

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
