from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.credential_view_status import CredentialViewStatus

T = TypeVar("T", bound="CredentialView")


@_attrs_define
class CredentialView:
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
        status (CredentialViewStatus): `pending`: waits for its reviewers; `approved`: starts with its first use;
            `expired`: ended, not decided in time, or not used in time.
        revoked_at (datetime.datetime | None):
        last_used_at (datetime.datetime | None): Start of its last session; null where there was none.
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
    status: CredentialViewStatus
    revoked_at: datetime.datetime | None
    last_used_at: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
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

        status = self.status.value

        revoked_at: None | str
        if isinstance(self.revoked_at, datetime.datetime):
            revoked_at = self.revoked_at.isoformat()
        else:
            revoked_at = self.revoked_at

        last_used_at: None | str
        if isinstance(self.last_used_at, datetime.datetime):
            last_used_at = self.last_used_at.isoformat()
        else:
            last_used_at = self.last_used_at

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
                "status": status,
                "revoked_at": revoked_at,
                "last_used_at": last_used_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
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

        status = CredentialViewStatus(d.pop("status"))

        def _parse_revoked_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                revoked_at_type_0 = datetime.datetime.fromisoformat(data)

                return revoked_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        revoked_at = _parse_revoked_at(d.pop("revoked_at"))

        def _parse_last_used_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_used_at_type_0 = datetime.datetime.fromisoformat(data)

                return last_used_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        last_used_at = _parse_last_used_at(d.pop("last_used_at"))

        credential_view = cls(
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
            status=status,
            revoked_at=revoked_at,
            last_used_at=last_used_at,
        )

        credential_view.additional_properties = d
        return credential_view

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
