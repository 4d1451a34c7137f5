from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.origin_view import OriginView


T = TypeVar("T", bound="AppliedGuardrailView")


@_attrs_define
class AppliedGuardrailView:
    """
    Attributes:
        id (UUID):
        name (str):
        origin (OriginView):
        fault (None | str): Why the rule cannot be applied; while this is set, the connection refuses everything.
        warnings (list[str]): What of the rule has no effect on this connection. Example: ['entries that name arguments
            of tool calls (input.rules 0) have no effect here'].
    """

    id: UUID
    name: str
    origin: OriginView
    fault: None | str
    warnings: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = str(self.id)

        name = self.name

        origin = self.origin.to_dict()

        fault: None | str
        fault = self.fault

        warnings = self.warnings

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "origin": origin,
                "fault": fault,
                "warnings": warnings,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.origin_view import OriginView

        d = dict(src_dict)
        id = UUID(d.pop("id"))

        name = d.pop("name")

        origin = OriginView.from_dict(d.pop("origin"))

        def _parse_fault(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        fault = _parse_fault(d.pop("fault"))

        warnings = cast(list[str], d.pop("warnings"))

        applied_guardrail_view = cls(
            id=id,
            name=name,
            origin=origin,
            fault=fault,
            warnings=warnings,
        )

        applied_guardrail_view.additional_properties = d
        return applied_guardrail_view

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
