from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define

from ..models.connection_body_access_mode_connect import ConnectionBodyAccessModeConnect
from ..models.connection_body_access_mode_exec import ConnectionBodyAccessModeExec
from ..models.connection_body_access_mode_runbooks import (
    ConnectionBodyAccessModeRunbooks,
)
from ..models.connection_body_access_schema import ConnectionBodyAccessSchema
from ..models.connection_body_recording import ConnectionBodyRecording
from ..models.connection_body_recording_mode_type_1 import (
    ConnectionBodyRecordingModeType1,
)
from ..models.connection_body_recording_mode_type_2_type_1 import (
    ConnectionBodyRecordingModeType2Type1,
)
from ..models.connection_body_recording_mode_type_3_type_1 import (
    ConnectionBodyRecordingModeType3Type1,
)
from ..models.connection_body_subtype import ConnectionBodySubtype
from ..models.connection_body_type import ConnectionBodyType
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.connection_body_connection_tags import ConnectionBodyConnectionTags
    from ..models.connection_body_secret import ConnectionBodySecret
    from ..models.mcp_policy_body_type_0 import McpPolicyBodyType0


T = TypeVar("T", bound="ConnectionBody")


@_attrs_define
class ConnectionBody:
    """
    Attributes:
        name (str): Unique name, by which people open the connection. Example: pg-prod.
        type_ (ConnectionBodyType | Unset): Required unless `catalog` is given. Example: database.
        subtype (ConnectionBodySubtype | Unset): Required unless `catalog` is given. Example: postgres.
        description (str | Unset): Free text. Default: empty. Example: Kept by the data team..
        secret (ConnectionBodySecret | Unset): How to reach the target. `NAME` has plain text, `envvar:NAME` base64.
            Postgres: HOST PORT USER PASS DB SSLMODE SSLROOTCERT ROLE (as which each session acts; `{group:PREFIX}` is the
            rest of the name of the person's group that begins so, `{subject}` the subject). SSH: HOST PORT USER, PASS or
            PRIVATE_KEY with PASSPHRASE or AUTH=certificate, HOST_KEY SHELL_COMMAND CLIENT_MAY TERMINAL_INPUT FORWARD_TO
            FORWARD_FROM. MCP proxy: REMOTE_URL MCP_TRANSPORT MCP_AUTH HEADER_*; with MCP_AUTH=exchange MCP_TOKEN_URL
            MCP_CLIENT_ID MCP_CLIENT_SECRET MCP_OAUTH_SUBJECT MCP_AUDIENCE MCP_RESOURCE MCP_SCOPE; with MCP_AUTH=oauth
            MCP_ISSUER MCP_CLIENT_ID MCP_CLIENT_SECRET MCP_OAUTH_GRANT MCP_OAUTH_SUBJECT MCP_SCOPE. Write-only: reads show
            the names with empty values, and an empty value for a name that is stored keeps it. MCP_ALLOWED_TOOLS and its
            like are moved to `mcp_policy`. Required unless `catalog` is given. Example: {'HOST': 'db.internal', 'PORT':
            '5432', 'USER': 'app', 'PASS': 'secret', 'DB': 'orders'}.
        connection_tags (ConnectionBodyConnectionTags | Unset): Labels of the connection. At most 10 strings, keys of up
            to 64 and values of up to 256 characters. Example: {'environment': 'production'}.
        attributes (list[str] | Unset): Attributes: labels that join connections to rules. Default: none. Example:
            ['pii'].
        guardrail_rules (list[UUID] | Unset): Guardrail rules of the connection. Default: none.
        access_groups (list[str] | Unset): Groups that may open the connection, while the access control feature is on.
            None: admins only. `*`: all signed-in callers. Default: none. Example: ['dba'].
        emergency_access_groups (list[str] | Unset): Groups whose members may open the connection in an emergency
            without waiting for its reviewers: `POST /reviews/{id}/emergency`. `*`: all signed-in people. They need access
            otherwise, too. Default: none. Example: ['on-call'].
        access_mode_connect (ConnectionBodyAccessModeConnect | Unset): Whether clients of the target’s own protocol may
            connect. Default: enabled.
        access_mode_exec (ConnectionBodyAccessModeExec | Unset): Whether scripts may be run. Default: enabled.
        access_mode_runbooks (ConnectionBodyAccessModeRunbooks | Unset): Whether runbooks may be run. Default: enabled.
        access_schema (ConnectionBodyAccessSchema | Unset): Whether the schema may be browsed. Default: enabled.
        resource_name (str | Unset): Name of the resource behind the connection. Default: empty.
        recording (ConnectionBodyRecording | Unset): `input-only`: output of the target is screened and delivered, but
            not recorded. Default: on.
        recording_mode (ConnectionBodyRecordingModeType1 | ConnectionBodyRecordingModeType2Type1 |
            ConnectionBodyRecordingModeType3Type1 | None | Unset): When an event counts as recorded, and is forwarded:
            `journal` survives a kill of the gateway, `journal+fsync` also a power failure, `store` waits for the database.
            Null: the setting of the gateway. Default: null.
        retention_days (int | None | Unset): Days for which sessions are kept after their end. Null: forever. Default:
            null.
        record_results (bool | Unset): Whether the result rows for clients of the target’s own protocol are recorded
            even if no guardrail looks at them; otherwise only their number is. Without effect where `recording` is `input-
            only`. Default: false.
        mcp_policy (McpPolicyBodyType0 | None | Unset):
        catalog (None | str | Unset): Name of the entry of `GET /mcp-catalog` that the connection was made from; null
            where there is none. Fills `type`, `subtype`, and REMOTE_URL, MCP_TRANSPORT and MCP_AUTH of `secret`, where the
            body has none. It cannot be changed.
    """

    name: str
    type_: ConnectionBodyType | Unset = UNSET
    subtype: ConnectionBodySubtype | Unset = UNSET
    description: str | Unset = UNSET
    secret: ConnectionBodySecret | Unset = UNSET
    connection_tags: ConnectionBodyConnectionTags | Unset = UNSET
    attributes: list[str] | Unset = UNSET
    guardrail_rules: list[UUID] | Unset = UNSET
    access_groups: list[str] | Unset = UNSET
    emergency_access_groups: list[str] | Unset = UNSET
    access_mode_connect: ConnectionBodyAccessModeConnect | Unset = UNSET
    access_mode_exec: ConnectionBodyAccessModeExec | Unset = UNSET
    access_mode_runbooks: ConnectionBodyAccessModeRunbooks | Unset = UNSET
    access_schema: ConnectionBodyAccessSchema | Unset = UNSET
    resource_name: str | Unset = UNSET
    recording: ConnectionBodyRecording | Unset = UNSET
    recording_mode: (
        ConnectionBodyRecordingModeType1
        | ConnectionBodyRecordingModeType2Type1
        | ConnectionBodyRecordingModeType3Type1
        | None
        | Unset
    ) = UNSET
    retention_days: int | None | Unset = UNSET
    record_results: bool | Unset = UNSET
    mcp_policy: McpPolicyBodyType0 | None | Unset = UNSET
    catalog: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        from ..models.mcp_policy_body_type_0 import McpPolicyBodyType0

        name = self.name

        type_: str | Unset = UNSET
        if not isinstance(self.type_, Unset):
            type_ = self.type_.value

        subtype: str | Unset = UNSET
        if not isinstance(self.subtype, Unset):
            subtype = self.subtype.value

        description = self.description

        secret: dict[str, Any] | Unset = UNSET
        if not isinstance(self.secret, Unset):
            secret = self.secret.to_dict()

        connection_tags: dict[str, Any] | Unset = UNSET
        if not isinstance(self.connection_tags, Unset):
            connection_tags = self.connection_tags.to_dict()

        attributes: list[str] | Unset = UNSET
        if not isinstance(self.attributes, Unset):
            attributes = self.attributes

        guardrail_rules: list[str] | Unset = UNSET
        if not isinstance(self.guardrail_rules, Unset):
            guardrail_rules = []
            for guardrail_rules_item_data in self.guardrail_rules:
                guardrail_rules_item = str(guardrail_rules_item_data)
                guardrail_rules.append(guardrail_rules_item)

        access_groups: list[str] | Unset = UNSET
        if not isinstance(self.access_groups, Unset):
            access_groups = self.access_groups

        emergency_access_groups: list[str] | Unset = UNSET
        if not isinstance(self.emergency_access_groups, Unset):
            emergency_access_groups = self.emergency_access_groups

        access_mode_connect: str | Unset = UNSET
        if not isinstance(self.access_mode_connect, Unset):
            access_mode_connect = self.access_mode_connect.value

        access_mode_exec: str | Unset = UNSET
        if not isinstance(self.access_mode_exec, Unset):
            access_mode_exec = self.access_mode_exec.value

        access_mode_runbooks: str | Unset = UNSET
        if not isinstance(self.access_mode_runbooks, Unset):
            access_mode_runbooks = self.access_mode_runbooks.value

        access_schema: str | Unset = UNSET
        if not isinstance(self.access_schema, Unset):
            access_schema = self.access_schema.value

        resource_name = self.resource_name

        recording: str | Unset = UNSET
        if not isinstance(self.recording, Unset):
            recording = self.recording.value

        recording_mode: None | str | Unset
        if isinstance(self.recording_mode, Unset):
            recording_mode = UNSET
        elif (
            isinstance(self.recording_mode, ConnectionBodyRecordingModeType1)
            or isinstance(self.recording_mode, ConnectionBodyRecordingModeType2Type1)
            or isinstance(self.recording_mode, ConnectionBodyRecordingModeType3Type1)
        ):
            recording_mode = self.recording_mode.value
        else:
            recording_mode = self.recording_mode

        retention_days: int | None | Unset
        if isinstance(self.retention_days, Unset):
            retention_days = UNSET
        else:
            retention_days = self.retention_days

        record_results = self.record_results

        mcp_policy: dict[str, Any] | None | Unset
        if isinstance(self.mcp_policy, Unset):
            mcp_policy = UNSET
        elif isinstance(self.mcp_policy, McpPolicyBodyType0):
            mcp_policy = self.mcp_policy.to_dict()
        else:
            mcp_policy = self.mcp_policy

        catalog: None | str | Unset
        if isinstance(self.catalog, Unset):
            catalog = UNSET
        else:
            catalog = self.catalog

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
            }
        )
        if type_ is not UNSET:
            field_dict["type"] = type_
        if subtype is not UNSET:
            field_dict["subtype"] = subtype
        if description is not UNSET:
            field_dict["description"] = description
        if secret is not UNSET:
            field_dict["secret"] = secret
        if connection_tags is not UNSET:
            field_dict["connection_tags"] = connection_tags
        if attributes is not UNSET:
            field_dict["attributes"] = attributes
        if guardrail_rules is not UNSET:
            field_dict["guardrail_rules"] = guardrail_rules
        if access_groups is not UNSET:
            field_dict["access_groups"] = access_groups
        if emergency_access_groups is not UNSET:
            field_dict["emergency_access_groups"] = emergency_access_groups
        if access_mode_connect is not UNSET:
            field_dict["access_mode_connect"] = access_mode_connect
        if access_mode_exec is not UNSET:
            field_dict["access_mode_exec"] = access_mode_exec
        if access_mode_runbooks is not UNSET:
            field_dict["access_mode_runbooks"] = access_mode_runbooks
        if access_schema is not UNSET:
            field_dict["access_schema"] = access_schema
        if resource_name is not UNSET:
            field_dict["resource_name"] = resource_name
        if recording is not UNSET:
            field_dict["recording"] = recording
        if recording_mode is not UNSET:
            field_dict["recording_mode"] = recording_mode
        if retention_days is not UNSET:
            field_dict["retention_days"] = retention_days
        if record_results is not UNSET:
            field_dict["record_results"] = record_results
        if mcp_policy is not UNSET:
            field_dict["mcp_policy"] = mcp_policy
        if catalog is not UNSET:
            field_dict["catalog"] = catalog

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.connection_body_connection_tags import (
            ConnectionBodyConnectionTags,
        )
        from ..models.connection_body_secret import ConnectionBodySecret
        from ..models.mcp_policy_body_type_0 import McpPolicyBodyType0

        d = dict(src_dict)
        name = d.pop("name")

        _type_ = d.pop("type", UNSET)
        type_: ConnectionBodyType | Unset
        if isinstance(_type_, Unset):
            type_ = UNSET
        else:
            type_ = ConnectionBodyType(_type_)

        _subtype = d.pop("subtype", UNSET)
        subtype: ConnectionBodySubtype | Unset
        if isinstance(_subtype, Unset):
            subtype = UNSET
        else:
            subtype = ConnectionBodySubtype(_subtype)

        description = d.pop("description", UNSET)

        _secret = d.pop("secret", UNSET)
        secret: ConnectionBodySecret | Unset
        if isinstance(_secret, Unset):
            secret = UNSET
        else:
            secret = ConnectionBodySecret.from_dict(_secret)

        _connection_tags = d.pop("connection_tags", UNSET)
        connection_tags: ConnectionBodyConnectionTags | Unset
        if isinstance(_connection_tags, Unset):
            connection_tags = UNSET
        else:
            connection_tags = ConnectionBodyConnectionTags.from_dict(_connection_tags)

        attributes = cast(list[str], d.pop("attributes", UNSET))

        _guardrail_rules = d.pop("guardrail_rules", UNSET)
        guardrail_rules: list[UUID] | Unset = UNSET
        if _guardrail_rules is not UNSET:
            guardrail_rules = []
            for guardrail_rules_item_data in _guardrail_rules:
                guardrail_rules_item = UUID(guardrail_rules_item_data)

                guardrail_rules.append(guardrail_rules_item)

        access_groups = cast(list[str], d.pop("access_groups", UNSET))

        emergency_access_groups = cast(list[str], d.pop("emergency_access_groups", UNSET))

        _access_mode_connect = d.pop("access_mode_connect", UNSET)
        access_mode_connect: ConnectionBodyAccessModeConnect | Unset
        if isinstance(_access_mode_connect, Unset):
            access_mode_connect = UNSET
        else:
            access_mode_connect = ConnectionBodyAccessModeConnect(_access_mode_connect)

        _access_mode_exec = d.pop("access_mode_exec", UNSET)
        access_mode_exec: ConnectionBodyAccessModeExec | Unset
        if isinstance(_access_mode_exec, Unset):
            access_mode_exec = UNSET
        else:
            access_mode_exec = ConnectionBodyAccessModeExec(_access_mode_exec)

        _access_mode_runbooks = d.pop("access_mode_runbooks", UNSET)
        access_mode_runbooks: ConnectionBodyAccessModeRunbooks | Unset
        if isinstance(_access_mode_runbooks, Unset):
            access_mode_runbooks = UNSET
        else:
            access_mode_runbooks = ConnectionBodyAccessModeRunbooks(_access_mode_runbooks)

        _access_schema = d.pop("access_schema", UNSET)
        access_schema: ConnectionBodyAccessSchema | Unset
        if isinstance(_access_schema, Unset):
            access_schema = UNSET
        else:
            access_schema = ConnectionBodyAccessSchema(_access_schema)

        resource_name = d.pop("resource_name", UNSET)

        _recording = d.pop("recording", UNSET)
        recording: ConnectionBodyRecording | Unset
        if isinstance(_recording, Unset):
            recording = UNSET
        else:
            recording = ConnectionBodyRecording(_recording)

        def _parse_recording_mode(
            data: object,
        ) -> (
            ConnectionBodyRecordingModeType1
            | ConnectionBodyRecordingModeType2Type1
            | ConnectionBodyRecordingModeType3Type1
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
                recording_mode_type_1 = ConnectionBodyRecordingModeType1(data)

                return recording_mode_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                recording_mode_type_2_type_1 = ConnectionBodyRecordingModeType2Type1(data)

                return recording_mode_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                recording_mode_type_3_type_1 = ConnectionBodyRecordingModeType3Type1(data)

                return recording_mode_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                ConnectionBodyRecordingModeType1
                | ConnectionBodyRecordingModeType2Type1
                | ConnectionBodyRecordingModeType3Type1
                | None
                | Unset,
                data,
            )

        recording_mode = _parse_recording_mode(d.pop("recording_mode", UNSET))

        def _parse_retention_days(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        retention_days = _parse_retention_days(d.pop("retention_days", UNSET))

        record_results = d.pop("record_results", UNSET)

        def _parse_mcp_policy(data: object) -> McpPolicyBodyType0 | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_mcp_policy_body_type_0 = McpPolicyBodyType0.from_dict(data)

                return componentsschemas_mcp_policy_body_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(McpPolicyBodyType0 | None | Unset, data)

        mcp_policy = _parse_mcp_policy(d.pop("mcp_policy", UNSET))

        def _parse_catalog(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        catalog = _parse_catalog(d.pop("catalog", UNSET))

        connection_body = cls(
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
            recording_mode=recording_mode,
            retention_days=retention_days,
            record_results=record_results,
            mcp_policy=mcp_policy,
            catalog=catalog,
        )

        return connection_body
