from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ReviewedCallViewType0")


@_attrs_define
class ReviewedCallViewType0:
    """
    Attributes:
        session_id (None | UUID): Live session of the call.
        name (str): What is called. Example: delete_customer.
        arguments (None | str): Arguments of the call; null once the review is over, because the session’s recording has
            them. Example: {"id":"cus_42"}.
        fingerprint (None | str): What the tool said of itself when it was called: the approval is for this fingerprint
            only. Example: 3f6c….
    """

    session_id: None | UUID
    name: str
    arguments: None | str
    fingerprint: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        session_id: None | str
        if isinstance(self.session_id, UUID):
            session_id = str(self.session_id)
        else:
            session_id = self.session_id

        name = self.name

        arguments: None | str
        arguments = self.arguments

        fingerprint: None | str
        fingerprint = self.fingerprint

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "session_id": session_id,
                "name": name,
                "arguments": arguments,
                "fingerprint": fingerprint,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_session_id(data: object) -> None | UUID:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                session_id_type_0 = UUID(data)

                return session_id_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UUID, data)

        session_id = _parse_session_id(d.pop("session_id"))

        name = d.pop("name")

        def _parse_arguments(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        arguments = _parse_arguments(d.pop("arguments"))

        def _parse_fingerprint(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        fingerprint = _parse_fingerprint(d.pop("fingerprint"))

        reviewed_call_view_type_0 = cls(
            session_id=session_id,
            name=name,
            arguments=arguments,
            fingerprint=fingerprint,
        )

        reviewed_call_view_type_0.additional_properties = d
        return reviewed_call_view_type_0

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
