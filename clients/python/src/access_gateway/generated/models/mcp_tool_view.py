from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.mcp_tool_view_status import McpToolViewStatus

if TYPE_CHECKING:
    from ..models.mcp_tool_difference_view import McpToolDifferenceView


T = TypeVar("T", bound="McpToolView")


@_attrs_define
class McpToolView:
    """
    Attributes:
        id (UUID):
        name (str): Name of the tool, exactly as the server writes it. Example: search_orders.
        status (McpToolViewStatus): `accepted`: clients see and call it. `held`: new, and the connection holds new
            tools. `changed`: not as it was accepted. Clients neither see nor call the latter two.
        fingerprint (str): SHA-256, in hex, of what the tool says of itself now; the `ETag` of the tool. Example:
            9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.
        accepted_fingerprint (None | str): The fingerprint that was accepted; null: none was.
        accepted_at (datetime.datetime | None):
        accepted_by (None | str): Who accepted it: an e-mail address or an id. Null: nobody, or `new_tools` of the
            policy is `allow`.
        first_listed_at (datetime.datetime):
        changed_at (datetime.datetime): When the definition changed last.
        differences (list[McpToolDifferenceView]): What differs from what was accepted, at most 200 places; everything
            while nothing was accepted. In lists, texts are cut to 1000 characters.
        warnings (list[str]): What may deceive a reader: invisible characters in the name, or another tool that looks
            the same.
    """

    id: UUID
    name: str
    status: McpToolViewStatus
    fingerprint: str
    accepted_fingerprint: None | str
    accepted_at: datetime.datetime | None
    accepted_by: None | str
    first_listed_at: datetime.datetime
    changed_at: datetime.datetime
    differences: list[McpToolDifferenceView]
    warnings: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = str(self.id)

        name = self.name

        status = self.status.value

        fingerprint = self.fingerprint

        accepted_fingerprint: None | str
        accepted_fingerprint = self.accepted_fingerprint

        accepted_at: None | str
        if isinstance(self.accepted_at, datetime.datetime):
            accepted_at = self.accepted_at.isoformat()
        else:
            accepted_at = self.accepted_at

        accepted_by: None | str
        accepted_by = self.accepted_by

        first_listed_at = self.first_listed_at.isoformat()

        changed_at = self.changed_at.isoformat()

        differences = []
        for differences_item_data in self.differences:
            differences_item = differences_item_data.to_dict()
            differences.append(differences_item)

        warnings = self.warnings

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "status": status,
                "fingerprint": fingerprint,
                "accepted_fingerprint": accepted_fingerprint,
                "accepted_at": accepted_at,
                "accepted_by": accepted_by,
                "first_listed_at": first_listed_at,
                "changed_at": changed_at,
                "differences": differences,
                "warnings": warnings,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.mcp_tool_difference_view import McpToolDifferenceView

        d = dict(src_dict)
        id = UUID(d.pop("id"))

        name = d.pop("name")

        status = McpToolViewStatus(d.pop("status"))

        fingerprint = d.pop("fingerprint")

        def _parse_accepted_fingerprint(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        accepted_fingerprint = _parse_accepted_fingerprint(d.pop("accepted_fingerprint"))

        def _parse_accepted_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                accepted_at_type_0 = datetime.datetime.fromisoformat(data)

                return accepted_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        accepted_at = _parse_accepted_at(d.pop("accepted_at"))

        def _parse_accepted_by(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        accepted_by = _parse_accepted_by(d.pop("accepted_by"))

        first_listed_at = datetime.datetime.fromisoformat(d.pop("first_listed_at"))

        changed_at = datetime.datetime.fromisoformat(d.pop("changed_at"))

        differences = []
        _differences = d.pop("differences")
        for differences_item_data in _differences:
            differences_item = McpToolDifferenceView.from_dict(differences_item_data)

            differences.append(differences_item)

        warnings = cast(list[str], d.pop("warnings"))

        mcp_tool_view = cls(
            id=id,
            name=name,
            status=status,
            fingerprint=fingerprint,
            accepted_fingerprint=accepted_fingerprint,
            accepted_at=accepted_at,
            accepted_by=accepted_by,
            first_listed_at=first_listed_at,
            changed_at=changed_at,
            differences=differences,
            warnings=warnings,
        )

        mcp_tool_view.additional_properties = d
        return mcp_tool_view

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
