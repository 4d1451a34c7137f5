from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.checked_connection_view_access_mode_connect import (
    CheckedConnectionViewAccessModeConnect,
)
from ..models.checked_connection_view_access_mode_exec import (
    CheckedConnectionViewAccessModeExec,
)
from ..models.checked_connection_view_access_mode_runbooks import (
    CheckedConnectionViewAccessModeRunbooks,
)
from ..models.checked_connection_view_access_schema import (
    CheckedConnectionViewAccessSchema,
)
from ..models.checked_connection_view_recording import CheckedConnectionViewRecording
from ..models.checked_connection_view_recording_mode_type_1 import (
    CheckedConnectionViewRecordingModeType1,
)
from ..models.checked_connection_view_recording_mode_type_2_type_1 import (
    CheckedConnectionViewRecordingModeType2Type1,
)
from ..models.checked_connection_view_recording_mode_type_3_type_1 import (
    CheckedConnectionViewRecordingModeType3Type1,
)
from ..models.checked_connection_view_status import CheckedConnectionViewStatus
from ..models.checked_connection_view_subtype import CheckedConnectionViewSubtype
from ..models.checked_connection_view_type import CheckedConnectionViewType
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.checked_connection_view_connection_tags import (
        CheckedConnectionViewConnectionTags,
    )
    from ..models.checked_connection_view_secret import CheckedConnectionViewSecret
    from ..models.mcp_auth_view_type_0 import McpAuthViewType0
    from ..models.mcp_policy_view_type_0 import McpPolicyViewType0


T = TypeVar("T", bound="CheckedConnectionView")


@_attrs_define
class CheckedConnectionView:
    """
    Attributes:
        id (UUID):
        org_id (UUID):
        name (str):  Example: pg-prod.
        type_ (CheckedConnectionViewType):
        subtype (CheckedConnectionViewSubtype):
        description (str):
        secret (CheckedConnectionViewSecret): Names of the secret’s values; the values are never shown. Example:
            {'HOST': '', 'PASS': ''}.
        connection_tags (CheckedConnectionViewConnectionTags):
        attributes (list[str]):
        guardrail_rules (list[UUID]):
        access_groups (list[str]):
        emergency_access_groups (list[str]): Groups whose members may open their own requests in an emergency.
        access_mode_connect (CheckedConnectionViewAccessModeConnect):
        access_mode_exec (CheckedConnectionViewAccessModeExec):
        access_mode_runbooks (CheckedConnectionViewAccessModeRunbooks):
        access_schema (CheckedConnectionViewAccessSchema):
        resource_name (str):
        recording (CheckedConnectionViewRecording):
        retention_days (int | None): Days for which sessions are kept after their end. Null: forever.
        record_results (bool): Whether the result rows for clients of the target’s own protocol are recorded even if no
            guardrail looks at them; otherwise only their number is. Without effect where `recording` is `input-only`.
        catalog (None | str): Name of the entry of `GET /mcp-catalog` that the connection was made from; null where
            there is none.
        status (CheckedConnectionViewStatus): Whether the gateway could open the target when it last tried: for a
            script, for a PostgreSQL client, or for the test of the connection. `offline`: the target did not answer, or
            refused the secret. `unknown`: no attempt since the connection was created or its secret changed.
        status_at (datetime.datetime | None): Time of `status`; repeated results are stored once a minute. Null while
            `status` is `unknown`.
        managed_by (None | str):
        created_at (datetime.datetime):
        updated_at (datetime.datetime):
        warnings (list[str]): Possible mistakes: a connection that only admins may open, or settings without effect.
            Fields of other gateways that have no effect here are accepted, and listed here with their replacements.
            Example: ['only admins may open this connection: access_groups is empty; ["*"] opens it to everybody who is
            signed in'].
        recording_mode (CheckedConnectionViewRecordingModeType1 | CheckedConnectionViewRecordingModeType2Type1 |
            CheckedConnectionViewRecordingModeType3Type1 | None | Unset): When an event counts as recorded, and is
            forwarded: `journal` survives a kill of the gateway, `journal+fsync` also a power failure, `store` waits for the
            database. Null: the setting of the gateway.
        mcp_policy (McpPolicyViewType0 | None | Unset):
        mcp_auth (McpAuthViewType0 | None | Unset):
    """

    id: UUID
    org_id: UUID
    name: str
    type_: CheckedConnectionViewType
    subtype: CheckedConnectionViewSubtype
    description: str
    secret: CheckedConnectionViewSecret
    connection_tags: CheckedConnectionViewConnectionTags
    attributes: list[str]
    guardrail_rules: list[UUID]
    access_groups: list[str]
    emergency_access_groups: list[str]
    access_mode_connect: CheckedConnectionViewAccessModeConnect
    access_mode_exec: CheckedConnectionViewAccessModeExec
    access_mode_runbooks: CheckedConnectionViewAccessModeRunbooks
    access_schema: CheckedConnectionViewAccessSchema
    resource_name: str
    recording: CheckedConnectionViewRecording
    retention_days: int | None
    record_results: bool
    catalog: None | str
    status: CheckedConnectionViewStatus
    status_at: datetime.datetime | None
    managed_by: None | str
    created_at: datetime.datetime
    updated_at: datetime.datetime
    warnings: list[str]
    recording_mode: (
        CheckedConnectionViewRecordingModeType1
        | CheckedConnectionViewRecordingModeType2Type1
        | CheckedConnectionViewRecordingModeType3Type1
        | None
        | Unset
    ) = UNSET
    mcp_policy: McpPolicyViewType0 | None | Unset = UNSET
    mcp_auth: McpAuthViewType0 | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.mcp_auth_view_type_0 import McpAuthViewType0
        from ..models.mcp_policy_view_type_0 import McpPolicyViewType0

        id = str(self.id)

        org_id = str(self.org_id)

        name = self.name

        type_ = self.type_.value

        subtype = self.subtype.value

        description = self.description

        secret = self.secret.to_dict()

        connection_tags = self.connection_tags.to_dict()

        attributes = self.attributes

        guardrail_rules = []
        for guardrail_rules_item_data in self.guardrail_rules:
            guardrail_rules_item = str(guardrail_rules_item_data)
            guardrail_rules.append(guardrail_rules_item)

        access_groups = self.access_groups

        emergency_access_groups = self.emergency_access_groups

        access_mode_connect = self.access_mode_connect.value

        access_mode_exec = self.access_mode_exec.value

        access_mode_runbooks = self.access_mode_runbooks.value

        access_schema = self.access_schema.value

        resource_name = self.resource_name

        recording = self.recording.value

        retention_days: int | None
        retention_days = self.retention_days

        record_results = self.record_results

        catalog: None | str
        catalog = self.catalog

        status = self.status.value

        status_at: None | str
        if isinstance(self.status_at, datetime.datetime):
            status_at = self.status_at.isoformat()
        else:
            status_at = self.status_at

        managed_by: None | str
        managed_by = self.managed_by

        created_at = self.created_at.isoformat()

        updated_at = self.updated_at.isoformat()

        warnings = self.warnings

        recording_mode: None | str | Unset
        if isinstance(self.recording_mode, Unset):
            recording_mode = UNSET
        elif (
            isinstance(self.recording_mode, CheckedConnectionViewRecordingModeType1)
            or isinstance(self.recording_mode, CheckedConnectionViewRecordingModeType2Type1)
            or isinstance(self.recording_mode, CheckedConnectionViewRecordingModeType3Type1)
        ):
            recording_mode = self.recording_mode.value
        else:
            recording_mode = self.recording_mode

        mcp_policy: dict[str, Any] | None | Unset
        if isinstance(self.mcp_policy, Unset):
            mcp_policy = UNSET
        elif isinstance(self.mcp_policy, McpPolicyViewType0):
            mcp_policy = self.mcp_policy.to_dict()
        else:
            mcp_policy = self.mcp_policy

        mcp_auth: dict[str, Any] | None | Unset
        if isinstance(self.mcp_auth, Unset):
            mcp_auth = UNSET
        elif isinstance(self.mcp_auth, McpAuthViewType0):
            mcp_auth = self.mcp_auth.to_dict()
        else:
            mcp_auth = self.mcp_auth

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "org_id": org_id,
                "name": name,
                "type": type_,
                "subtype": subtype,
                "description": description,
                "secret": secret,
                "connection_tags": connection_tags,
                "attributes": attributes,
                "guardrail_rules": guardrail_rules,
                "access_groups": access_groups,
                "emergency_access_groups": emergency_access_groups,
                "access_mode_connect": access_mode_connect,
                "access_mode_exec": access_mode_exec,
                "access_mode_runbooks": access_mode_runbooks,
                "access_schema": access_schema,
                "resource_name": resource_name,
                "recording": recording,
                "retention_days": retention_days,
                "record_results": record_results,
                "catalog": catalog,
                "status": status,
                "status_at": status_at,
                "managed_by": managed_by,
                "created_at": created_at,
                "updated_at": updated_at,
                "warnings": warnings,
            }
        )
        if recording_mode is not UNSET:
            field_dict["recording_mode"] = recording_mode
        if mcp_policy is not UNSET:
            field_dict["mcp_policy"] = mcp_policy
        if mcp_auth is not UNSET:
            field_dict["mcp_auth"] = mcp_auth

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.checked_connection_view_connection_tags import (
            CheckedConnectionViewConnectionTags,
        )
        from ..models.checked_connection_view_secret import CheckedConnectionViewSecret
        from ..models.mcp_auth_view_type_0 import McpAuthViewType0
        from ..models.mcp_policy_view_type_0 import McpPolicyViewType0

        d = dict(src_dict)
        id = UUID(d.pop("id"))

        org_id = UUID(d.pop("org_id"))

        name = d.pop("name")

        type_ = CheckedConnectionViewType(d.pop("type"))

        subtype = CheckedConnectionViewSubtype(d.pop("subtype"))

        description = d.pop("description")

        secret = CheckedConnectionViewSecret.from_dict(d.pop("secret"))

        connection_tags = CheckedConnectionViewConnectionTags.from_dict(d.pop("connection_tags"))

        attributes = cast(list[str], d.pop("attributes"))

        guardrail_rules = []
        _guardrail_rules = d.pop("guardrail_rules")
        for guardrail_rules_item_data in _guardrail_rules:
            guardrail_rules_item = UUID(guardrail_rules_item_data)

            guardrail_rules.append(guardrail_rules_item)

        access_groups = cast(list[str], d.pop("access_groups"))

        emergency_access_groups = cast(list[str], d.pop("emergency_access_groups"))

        access_mode_connect = CheckedConnectionViewAccessModeConnect(d.pop("access_mode_connect"))

        access_mode_exec = CheckedConnectionViewAccessModeExec(d.pop("access_mode_exec"))

        access_mode_runbooks = CheckedConnectionViewAccessModeRunbooks(d.pop("access_mode_runbooks"))

        access_schema = CheckedConnectionViewAccessSchema(d.pop("access_schema"))

        resource_name = d.pop("resource_name")

        recording = CheckedConnectionViewRecording(d.pop("recording"))

        def _parse_retention_days(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        retention_days = _parse_retention_days(d.pop("retention_days"))

        record_results = d.pop("record_results")

        def _parse_catalog(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        catalog = _parse_catalog(d.pop("catalog"))

        status = CheckedConnectionViewStatus(d.pop("status"))

        def _parse_status_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                status_at_type_0 = datetime.datetime.fromisoformat(data)

                return status_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        status_at = _parse_status_at(d.pop("status_at"))

        def _parse_managed_by(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        managed_by = _parse_managed_by(d.pop("managed_by"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at"))

        warnings = cast(list[str], d.pop("warnings"))

        def _parse_recording_mode(
            data: object,
        ) -> (
            CheckedConnectionViewRecordingModeType1
            | CheckedConnectionViewRecordingModeType2Type1
            | CheckedConnectionViewRecordingModeType3Type1
            | None
            | Unset
        ):
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                recording_mode_type_1 = CheckedConnectionViewRecordingModeType1(data)

                return recording_mode_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                recording_mode_type_2_type_1 = CheckedConnectionViewRecordingModeType2Type1(data)

                return recording_mode_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                recording_mode_type_3_type_1 = CheckedConnectionViewRecordingModeType3Type1(data)

                return recording_mode_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                CheckedConnectionViewRecordingModeType1
                | CheckedConnectionViewRecordingModeType2Type1
                | CheckedConnectionViewRecordingModeType3Type1
                | None
                | Unset,
                data,
            )

        recording_mode = _parse_recording_mode(d.pop("recording_mode", UNSET))

        def _parse_mcp_policy(data: object) -> McpPolicyViewType0 | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_mcp_policy_view_type_0 = McpPolicyViewType0.from_dict(data)

                return componentsschemas_mcp_policy_view_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(McpPolicyViewType0 | None | Unset, data)

        mcp_policy = _parse_mcp_policy(d.pop("mcp_policy", UNSET))

        def _parse_mcp_auth(data: object) -> McpAuthViewType0 | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_mcp_auth_view_type_0 = McpAuthViewType0.from_dict(data)

                return componentsschemas_mcp_auth_view_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(McpAuthViewType0 | None | Unset, data)

        mcp_auth = _parse_mcp_auth(d.pop("mcp_auth", UNSET))

        checked_connection_view = cls(
            id=id,
            org_id=org_id,
            name=name,
            type_=type_,
            subtype=subtype,
            description=description,
            secret=secret,
            connection_tags=connection_tags,
            attributes=attributes,
            guardrail_rules=guardrail_rules,
            access_groups=access_groups,
            emergency_access_groups=emergency_access_groups,
            access_mode_connect=access_mode_connect,
            access_mode_exec=access_mode_exec,
            access_mode_runbooks=access_mode_runbooks,
            access_schema=access_schema,
            resource_name=resource_name,
            recording=recording,
            retention_days=retention_days,
            record_results=record_results,
            catalog=catalog,
            status=status,
            status_at=status_at,
            managed_by=managed_by,
            created_at=created_at,
            updated_at=updated_at,
            warnings=warnings,
            recording_mode=recording_mode,
            mcp_policy=mcp_policy,
            mcp_auth=mcp_auth,
        )

        checked_connection_view.additional_properties = d
        return checked_connection_view

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
