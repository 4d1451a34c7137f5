from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="NamePatternsView")


@_attrs_define
class NamePatternsView:
    """
    Attributes:
        allowed (list[str]): Only what one of these patterns matches is there for clients. None: everything. `*` stands
            for any characters, `?` for one, everything else for itself; case matters and the whole name has to match.
            Example: ['search_*'].
        denied (list[str]): What one of these patterns matches is not there for clients, even if it is allowed. `*`
            stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to
            match. Example: ['delete_*'].
    """

    allowed: list[str]
    denied: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        allowed = self.allowed

        denied = self.denied

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "allowed": allowed,
                "denied": denied,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        allowed = cast(list[str], d.pop("allowed"))

        denied = cast(list[str], d.pop("denied"))

        name_patterns_view = cls(
            allowed=allowed,
            denied=denied,
        )

        name_patterns_view.additional_properties = d
        return name_patterns_view

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
