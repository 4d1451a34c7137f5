from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.connection_credentials_view_type_0 import ConnectionCredentialsViewType0


T = TypeVar("T", bound="IssuedCredentialView")


@_attrs_define
class IssuedCredentialView:
    """
    Attributes:
        id (UUID): Id, which is also the user name to connect with.
        connection_name (str):  Example: pg-prod.
        connection_type (str):  Example: database.
        connection_subtype (str):  Example: postgres.
        session_id (None | UUID): Always null: a session refers to its credential, and begins later.
        has_review (bool): Whether the access needs approval.
        review_id (None | UUID): The review of the request, with the id of the credential; null where no approval was
            needed.
        reason (None | str): Reason for the request; null where none was given.
        created_at (datetime.datetime):
        expire_at (datetime.datetime | None): When the credential and its sessions end; null while the access has not
            started.
        connection_credentials (ConnectionCredentialsViewType0 | None | Unset):
    """

    id: UUID
    connection_name: str
    connection_type: str
    connection_subtype: str
    session_id: None | UUID
    has_review: bool
    review_id: None | UUID
    reason: None | str
    created_at: datetime.datetime
    expire_at: datetime.datetime | None
    connection_credentials: ConnectionCredentialsViewType0 | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.connection_credentials_view_type_0 import (
            ConnectionCredentialsViewType0,
        )

        id = str(self.id)

        connection_name = self.connection_name

        connection_type = self.connection_type

        connection_subtype = self.connection_subtype

        session_id: None | str
        if isinstance(self.session_id, UUID):
            session_id = str(self.session_id)
        else:
            session_id = self.session_id

        has_review = self.has_review

        review_id: None | str
        if isinstance(self.review_id, UUID):
            review_id = str(self.review_id)
        else:
            review_id = self.review_id

        reason: None | str
        reason = self.reason

        created_at = self.created_at.isoformat()

        expire_at: None | str
        if isinstance(self.expire_at, datetime.datetime):
            expire_at = self.expire_at.isoformat()
        else:
            expire_at = self.expire_at

        connection_credentials: dict[str, Any] | None | Unset
        if isinstance(self.connection_credentials, Unset):
            connection_credentials = UNSET
        elif isinstance(self.connection_credentials, ConnectionCredentialsViewType0):
            connection_credentials = self.connection_credentials.to_dict()
        else:
            connection_credentials = self.connection_credentials

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "connection_name": connection_name,
                "connection_type": connection_type,
                "connection_subtype": connection_subtype,
                "session_id": session_id,
                "has_review": has_review,
                "review_id": review_id,
                "reason": reason,
                "created_at": created_at,
                "expire_at": expire_at,
            }
        )
        if connection_credentials is not UNSET:
            field_dict["connection_credentials"] = connection_credentials

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.connection_credentials_view_type_0 import (
            ConnectionCredentialsViewType0,
        )

        d = dict(src_dict)
        id = UUID(d.pop("id"))

        connection_name = d.pop("connection_name")

        connection_type = d.pop("connection_type")

        connection_subtype = d.pop("connection_subtype")

        def _parse_session_id(data: object) -> None | UUID:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                session_id_type_0 = UUID(data)

                return session_id_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UUID, data)

        session_id = _parse_session_id(d.pop("session_id"))

        has_review = d.pop("has_review")

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

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        def _parse_expire_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                expire_at_type_0 = datetime.datetime.fromisoformat(data)

                return expire_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        expire_at = _parse_expire_at(d.pop("expire_at"))

        def _parse_connection_credentials(data: object) -> ConnectionCredentialsViewType0 | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_connection_credentials_view_type_0 = (
                    ConnectionCredentialsViewType0.from_dict(data)
                )

                return componentsschemas_connection_credentials_view_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ConnectionCredentialsViewType0 | None | Unset, data)

        connection_credentials = _parse_connection_credentials(d.pop("connection_credentials", UNSET))

        issued_credential_view = cls(
            id=id,
            connection_name=connection_name,
            connection_type=connection_type,
            connection_subtype=connection_subtype,
            session_id=session_id,
            has_review=has_review,
            review_id=review_id,
            reason=reason,
            created_at=created_at,
            expire_at=expire_at,
            connection_credentials=connection_credentials,
        )

        issued_credential_view.additional_properties = d
        return issued_credential_view

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
