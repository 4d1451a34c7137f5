from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.signer_view import SignerView


T = TypeVar("T", bound="SignOffViewType0")


@_attrs_define
class SignOffViewType0:
    """
    Attributes:
        by (SignerView):
        at (datetime.datetime):
        comment (str):
    """

    by: SignerView
    at: datetime.datetime
    comment: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        by = self.by.to_dict()

        at = self.at.isoformat()

        comment = self.comment

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "by": by,
                "at": at,
                "comment": comment,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.signer_view import SignerView

        d = dict(src_dict)
        by = SignerView.from_dict(d.pop("by"))

        at = datetime.datetime.fromisoformat(d.pop("at"))

        comment = d.pop("comment")

        sign_off_view_type_0 = cls(
            by=by,
            at=at,
            comment=comment,
        )

        sign_off_view_type_0.additional_properties = d
        return sign_off_view_type_0

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
