from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.request_view import RequestView
    from ..models.reviewed_script_view_type_0 import ReviewedScriptViewType0
    from ..models.reviewed_session_view import ReviewedSessionView


T = TypeVar("T", bound="ReviewContextView")


@_attrs_define
class ReviewContextView:
    """
    Attributes:
        earlier (list[RequestView]): The last 10 requests of the same requester for the same connection that were
            approved, newest first.
        sessions (list[ReviewedSessionView]): The last 20 sessions that ran under an approval for a while, newest first.
        script (None | ReviewedScriptViewType0 | Unset):
    """

    earlier: list[RequestView]
    sessions: list[ReviewedSessionView]
    script: None | ReviewedScriptViewType0 | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.reviewed_script_view_type_0 import ReviewedScriptViewType0

        earlier = []
        for earlier_item_data in self.earlier:
            earlier_item = earlier_item_data.to_dict()
            earlier.append(earlier_item)

        sessions = []
        for sessions_item_data in self.sessions:
            sessions_item = sessions_item_data.to_dict()
            sessions.append(sessions_item)

        script: dict[str, Any] | None | Unset
        if isinstance(self.script, Unset):
            script = UNSET
        elif isinstance(self.script, ReviewedScriptViewType0):
            script = self.script.to_dict()
        else:
            script = self.script

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "earlier": earlier,
                "sessions": sessions,
            }
        )
        if script is not UNSET:
            field_dict["script"] = script

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.request_view import RequestView
        from ..models.reviewed_script_view_type_0 import ReviewedScriptViewType0
        from ..models.reviewed_session_view import ReviewedSessionView

        d = dict(src_dict)
        earlier = []
        _earlier = d.pop("earlier")
        for earlier_item_data in _earlier:
            earlier_item = RequestView.from_dict(earlier_item_data)

            earlier.append(earlier_item)

        sessions = []
        _sessions = d.pop("sessions")
        for sessions_item_data in _sessions:
            sessions_item = ReviewedSessionView.from_dict(sessions_item_data)

            sessions.append(sessions_item)

        def _parse_script(data: object) -> None | ReviewedScriptViewType0 | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_reviewed_script_view_type_0 = ReviewedScriptViewType0.from_dict(data)

                return componentsschemas_reviewed_script_view_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ReviewedScriptViewType0 | Unset, data)

        script = _parse_script(d.pop("script", UNSET))

        review_context_view = cls(
            earlier=earlier,
            sessions=sessions,
            script=script,
        )

        review_context_view.additional_properties = d
        return review_context_view

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
