from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.session_call_view_verdict import SessionCallViewVerdict

T = TypeVar("T", bound="SessionCallView")


@_attrs_define
class SessionCallView:
    """
    Attributes:
        at (datetime.datetime): When the request came.
        method (str): The method of the Model Context Protocol. Example: tools/call.
        name (None | str): Name of the tool or prompt, or URI of the resource, cut to 1024 characters; null where the
            method has none. Example: search_orders.
        verdict (SessionCallViewVerdict): `forwarded`: the server answered. `refused`: not allowed, or a guardrail hit
            the request. `pending`: it waits for a review. `blocked`: a guardrail blocked it. `unknown`: it was sent, and it
            is not known whether it ran.
        review_id (None | UUID):
        duration_ms (int): Milliseconds from the request to the end of its answer.
        result_bytes (int): Bytes of the result; 0 where there was none.
    """

    at: datetime.datetime
    method: str
    name: None | str
    verdict: SessionCallViewVerdict
    review_id: None | UUID
    duration_ms: int
    result_bytes: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        method = self.method

        name: None | str
        name = self.name

        verdict = self.verdict.value

        review_id: None | str
        if isinstance(self.review_id, UUID):
            review_id = str(self.review_id)
        else:
            review_id = self.review_id

        duration_ms = self.duration_ms

        result_bytes = self.result_bytes

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "at": at,
                "method": method,
                "name": name,
                "verdict": verdict,
                "review_id": review_id,
                "duration_ms": duration_ms,
                "result_bytes": result_bytes,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        method = d.pop("method")

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        verdict = SessionCallViewVerdict(d.pop("verdict"))

        def _parse_review_id(data: object) -> None | UUID:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                review_id_type_0 = UUID(data)

                return review_id_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UUID, data)

        review_id = _parse_review_id(d.pop("review_id"))

        duration_ms = d.pop("duration_ms")

        result_bytes = d.pop("result_bytes")

        session_call_view = cls(
            at=at,
            method=method,
            name=name,
            verdict=verdict,
            review_id=review_id,
            duration_ms=duration_ms,
            result_bytes=result_bytes,
        )

        session_call_view.additional_properties = d
        return session_call_view

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
