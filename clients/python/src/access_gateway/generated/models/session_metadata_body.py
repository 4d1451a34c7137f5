from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.session_metadata_body_metadata import SessionMetadataBodyMetadata


T = TypeVar("T", bound="SessionMetadataBody")


@_attrs_define
class SessionMetadataBody:
    """
    Attributes:
        metadata (SessionMetadataBodyMetadata): Keys to set; null removes a key, keys that are absent stay. The result
            must have at most 20 keys of up to 2500 characters. Example: {'ticket': 'OPS-12', 'draft': None}.
    """

    metadata: SessionMetadataBodyMetadata

    def to_dict(self) -> dict[str, Any]:
        metadata = self.metadata.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "metadata": metadata,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.session_metadata_body_metadata import SessionMetadataBodyMetadata

        d = dict(src_dict)
        metadata = SessionMetadataBodyMetadata.from_dict(d.pop("metadata"))

        session_metadata_body = cls(
            metadata=metadata,
        )

        return session_metadata_body
