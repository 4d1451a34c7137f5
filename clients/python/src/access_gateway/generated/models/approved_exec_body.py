from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.approved_exec_body_env_vars import ApprovedExecBodyEnvVars


T = TypeVar("T", bound="ApprovedExecBody")


@_attrs_define
class ApprovedExecBody:
    """
    Attributes:
        script (str | Unset): The script that was approved. Example: SELECT 1.
        env_vars (ApprovedExecBodyEnvVars | Unset): The environment that was approved. At most 100 strings, keys of up
            to 256 and values of up to 32768 characters. Example: {}.
        client_args (list[str] | Unset): The arguments that were approved.
    """

    script: str | Unset = UNSET
    env_vars: ApprovedExecBodyEnvVars | Unset = UNSET
    client_args: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        script = self.script

        env_vars: dict[str, Any] | Unset = UNSET
        if not isinstance(self.env_vars, Unset):
            env_vars = self.env_vars.to_dict()

        client_args: list[str] | Unset = UNSET
        if not isinstance(self.client_args, Unset):
            client_args = self.client_args

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if script is not UNSET:
            field_dict["script"] = script
        if env_vars is not UNSET:
            field_dict["env_vars"] = env_vars
        if client_args is not UNSET:
            field_dict["client_args"] = client_args

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.approved_exec_body_env_vars import ApprovedExecBodyEnvVars

        d = dict(src_dict)
        script = d.pop("script", UNSET)

        _env_vars = d.pop("env_vars", UNSET)
        env_vars: ApprovedExecBodyEnvVars | Unset
        if isinstance(_env_vars, Unset):
            env_vars = UNSET
        else:
            env_vars = ApprovedExecBodyEnvVars.from_dict(_env_vars)

        client_args = cast(list[str], d.pop("client_args", UNSET))

        approved_exec_body = cls(
            script=script,
            env_vars=env_vars,
            client_args=client_args,
        )

        return approved_exec_body
