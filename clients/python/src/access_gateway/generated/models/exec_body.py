from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.exec_body_env_vars import ExecBodyEnvVars
    from ..models.exec_body_labels import ExecBodyLabels
    from ..models.exec_body_metadata import ExecBodyMetadata


T = TypeVar("T", bound="ExecBody")


@_attrs_define
class ExecBody:
    """
    Attributes:
        connection (str): Name of the connection. Example: demo.
        script (str): What to run; for postgres, one or more statements; for ssh, a script for a shell. Example: SELECT
            1.
        env_vars (ExecBodyEnvVars | Unset): Must be empty: the connection alone sets the environment of its scripts.
        client_args (list[str] | Unset): Must be empty: the connection alone sets the arguments of its scripts.
        labels (ExecBodyLabels | Unset): Labels of the session. At most 20 strings, keys of up to 64 and values of up to
            256 characters. Example: {'ticket': 'OPS-12'}.
        metadata (ExecBodyMetadata | Unset): At most 20 keys, values of up to 2500 characters.
        session_batch_id (str | Unset): Groups sessions executed simultaneously.
        correlation_id (str | Unset): The caller’s own reference.
        reason (None | str | Unset): Reason for the access; shown to reviewers, in events and in the audit log. Default:
            none. Example: OPS-12: refund of order 4711.
    """

    connection: str
    script: str
    env_vars: ExecBodyEnvVars | Unset = UNSET
    client_args: list[str] | Unset = UNSET
    labels: ExecBodyLabels | Unset = UNSET
    metadata: ExecBodyMetadata | Unset = UNSET
    session_batch_id: str | Unset = UNSET
    correlation_id: str | Unset = UNSET
    reason: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        connection = self.connection

        script = self.script

        env_vars: dict[str, Any] | Unset = UNSET
        if not isinstance(self.env_vars, Unset):
            env_vars = self.env_vars.to_dict()

        client_args: list[str] | Unset = UNSET
        if not isinstance(self.client_args, Unset):
            client_args = self.client_args

        labels: dict[str, Any] | Unset = UNSET
        if not isinstance(self.labels, Unset):
            labels = self.labels.to_dict()

        metadata: dict[str, Any] | Unset = UNSET
        if not isinstance(self.metadata, Unset):
            metadata = self.metadata.to_dict()

        session_batch_id = self.session_batch_id

        correlation_id = self.correlation_id

        reason: None | str | Unset
        if isinstance(self.reason, Unset):
            reason = UNSET
        else:
            reason = self.reason

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "connection": connection,
                "script": script,
            }
        )
        if env_vars is not UNSET:
            field_dict["env_vars"] = env_vars
        if client_args is not UNSET:
            field_dict["client_args"] = client_args
        if labels is not UNSET:
            field_dict["labels"] = labels
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if session_batch_id is not UNSET:
            field_dict["session_batch_id"] = session_batch_id
        if correlation_id is not UNSET:
            field_dict["correlation_id"] = correlation_id
        if reason is not UNSET:
            field_dict["reason"] = reason

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.exec_body_env_vars import ExecBodyEnvVars
        from ..models.exec_body_labels import ExecBodyLabels
        from ..models.exec_body_metadata import ExecBodyMetadata

        d = dict(src_dict)
        connection = d.pop("connection")

        script = d.pop("script")

        _env_vars = d.pop("env_vars", UNSET)
        env_vars: ExecBodyEnvVars | Unset
        if isinstance(_env_vars, Unset):
            env_vars = UNSET
        else:
            env_vars = ExecBodyEnvVars.from_dict(_env_vars)

        client_args = cast(list[str], d.pop("client_args", UNSET))

        _labels = d.pop("labels", UNSET)
        labels: ExecBodyLabels | Unset
        if isinstance(_labels, Unset):
            labels = UNSET
        else:
            labels = ExecBodyLabels.from_dict(_labels)

        _metadata = d.pop("metadata", UNSET)
        metadata: ExecBodyMetadata | Unset
        if isinstance(_metadata, Unset):
            metadata = UNSET
        else:
            metadata = ExecBodyMetadata.from_dict(_metadata)

        session_batch_id = d.pop("session_batch_id", UNSET)

        correlation_id = d.pop("correlation_id", UNSET)

        def _parse_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        reason = _parse_reason(d.pop("reason", UNSET))

        exec_body = cls(
            connection=connection,
            script=script,
            env_vars=env_vars,
            client_args=client_args,
            labels=labels,
            metadata=metadata,
            session_batch_id=session_batch_id,
            correlation_id=correlation_id,
            reason=reason,
        )

        return exec_body
