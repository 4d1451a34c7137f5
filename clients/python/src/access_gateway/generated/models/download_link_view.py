from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="DownloadLinkView")


@_attrs_define
class DownloadLinkView:
    """
    Attributes:
        download_url (str): Link that downloads the file once, without a credential. Anybody who has the link can use
            it, so keep it secret. Example:
            https://gateway.example.com/api/sessions/0b5a6e3c-1f5e-4c51-9d67-2f1f6a7c9d10/download?token=4fq0XkQ9.
        expire_at (datetime.datetime): When the link expires, five minutes after its creation.
    """

    download_url: str
    expire_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        download_url = self.download_url

        expire_at = self.expire_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "download_url": download_url,
                "expire_at": expire_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        download_url = d.pop("download_url")

        expire_at = datetime.datetime.fromisoformat(d.pop("expire_at"))

        download_link_view = cls(
            download_url=download_url,
            expire_at=expire_at,
        )

        download_link_view.additional_properties = d
        return download_link_view

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
