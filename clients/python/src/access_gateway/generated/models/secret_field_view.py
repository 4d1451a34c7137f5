from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.secret_condition_view_type_0 import SecretConditionViewType0


T = TypeVar("T", bound="SecretFieldView")


@_attrs_define
class SecretFieldView:
    """
    Attributes:
        name (str): Name in `secret` of a connection. Example: HOST.
        label (str): What the value is, in a few words. Example: Host name or IP address.
        description (str): What a person who types the value should know besides; may be empty.
        required (bool): Whether each connection of the kind needs the value.
        confidential (bool): Whether the value gives access by itself, so that a form hides it.
        multiline (bool): Whether the value may have several lines, such as PEM.
        placeholder (None | str): An example of a value. Example: db.internal.
        choices (list[str]): The only values; empty: others are possible.
        only_with (None | SecretConditionViewType0 | Unset):
    """

    name: str
    label: str
    description: str
    required: bool
    confidential: bool
    multiline: bool
    placeholder: None | str
    choices: list[str]
    only_with: None | SecretConditionViewType0 | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.secret_condition_view_type_0 import SecretConditionViewType0

        name = self.name

        label = self.label

        description = self.description

        required = self.required

        confidential = self.confidential

        multiline = self.multiline

        placeholder: None | str
        placeholder = self.placeholder

        choices = self.choices

        only_with: dict[str, Any] | None | Unset
        if isinstance(self.only_with, Unset):
            only_with = UNSET
        elif isinstance(self.only_with, SecretConditionViewType0):
            only_with = self.only_with.to_dict()
        else:
            only_with = self.only_with

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "label": label,
                "description": description,
                "required": required,
                "confidential": confidential,
                "multiline": multiline,
                "placeholder": placeholder,
                "choices": choices,
            }
        )
        if only_with is not UNSET:
            field_dict["only_with"] = only_with

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.secret_condition_view_type_0 import SecretConditionViewType0

        d = dict(src_dict)
        name = d.pop("name")

        label = d.pop("label")

        description = d.pop("description")

        required = d.pop("required")

        confidential = d.pop("confidential")

        multiline = d.pop("multiline")

        def _parse_placeholder(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        placeholder = _parse_placeholder(d.pop("placeholder"))

        choices = cast(list[str], d.pop("choices"))

        def _parse_only_with(data: object) -> None | SecretConditionViewType0 | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_secret_condition_view_type_0 = SecretConditionViewType0.from_dict(data)

                return componentsschemas_secret_condition_view_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SecretConditionViewType0 | Unset, data)

        only_with = _parse_only_with(d.pop("only_with", UNSET))

        secret_field_view = cls(
            name=name,
            label=label,
            description=description,
            required=required,
            confidential=confidential,
            multiline=multiline,
            placeholder=placeholder,
            choices=choices,
            only_with=only_with,
        )

        secret_field_view.additional_properties = d
        return secret_field_view

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
