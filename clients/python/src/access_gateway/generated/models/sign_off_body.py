from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="SignOffBody")


@_attrs_define
class SignOffBody:
    """
    Attributes:
        comment (str): What was found. Example: INC-204, correct.
    """

    comment: str

    def to_dict(self) -> dict[str, Any]:
        comment = self.comment

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "comment": comment,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        comment = d.pop("comment")

        sign_off_body = cls(
            comment=comment,
        )

        return sign_off_body
