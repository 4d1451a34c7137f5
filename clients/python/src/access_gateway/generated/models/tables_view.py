from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.schema_tables_view import SchemaTablesView


T = TypeVar("T", bound="TablesView")


@_attrs_define
class TablesView:
    """
    Attributes:
        schemas (list[SchemaTablesView]):
        truncated (bool): Whether there are more: an answer has up to 1000 tables, with 10000 columns together.
        session_id (UUID): The session that has the recording of the listing.
    """

    schemas: list[SchemaTablesView]
    truncated: bool
    session_id: UUID
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        schemas = []
        for schemas_item_data in self.schemas:
            schemas_item = schemas_item_data.to_dict()
            schemas.append(schemas_item)

        truncated = self.truncated

        session_id = str(self.session_id)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "schemas": schemas,
                "truncated": truncated,
                "session_id": session_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.schema_tables_view import SchemaTablesView

        d = dict(src_dict)
        schemas = []
        _schemas = d.pop("schemas")
        for schemas_item_data in _schemas:
            schemas_item = SchemaTablesView.from_dict(schemas_item_data)

            schemas.append(schemas_item)

        truncated = d.pop("truncated")

        session_id = UUID(d.pop("session_id"))

        tables_view = cls(
            schemas=schemas,
            truncated=truncated,
            session_id=session_id,
        )

        tables_view.additional_properties = d
        return tables_view

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
