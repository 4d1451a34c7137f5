from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.mcp_policy_body_type_0_new_tools import McpPolicyBodyType0NewTools
from ..models.mcp_policy_body_type_0_server_requests_item import (
    McpPolicyBodyType0ServerRequestsItem,
)
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.name_patterns_body import NamePatternsBody
    from ..models.tool_patterns_body import ToolPatternsBody


T = TypeVar("T", bound="McpPolicyBodyType0")


@_attrs_define
class McpPolicyBodyType0:
    """
    Attributes:
        tools (ToolPatternsBody | Unset):
        resources (NamePatternsBody | Unset):
        prompts (NamePatternsBody | Unset):
        new_tools (McpPolicyBodyType0NewTools | Unset): What happens to a tool that the gateway has not seen before:
            `allow`, or `hold` until an admin accepts it. Default: allow.
        server_requests (list[McpPolicyBodyType0ServerRequestsItem] | Unset): Requests of the server that reach the
            client; the others are refused. Default: none.
        calls_per_minute (int | None | Unset): Calls of one tool by one user or API key in a minute. Null: no limit.
        result_bytes (int | None | Unset): Size of one result. Null: the limit of the gateway.
        streams (int | None | Unset): Streams that one user or API key may have open at a time. Null: the limit of the
            gateway.
    """

    tools: ToolPatternsBody | Unset = UNSET
    resources: NamePatternsBody | Unset = UNSET
    prompts: NamePatternsBody | Unset = UNSET
    new_tools: McpPolicyBodyType0NewTools | Unset = UNSET
    server_requests: list[McpPolicyBodyType0ServerRequestsItem] | Unset = UNSET
    calls_per_minute: int | None | Unset = UNSET
    result_bytes: int | None | Unset = UNSET
    streams: int | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        tools: dict[str, Any] | Unset = UNSET
        if not isinstance(self.tools, Unset):
            tools = self.tools.to_dict()

        resources: dict[str, Any] | Unset = UNSET
        if not isinstance(self.resources, Unset):
            resources = self.resources.to_dict()

        prompts: dict[str, Any] | Unset = UNSET
        if not isinstance(self.prompts, Unset):
            prompts = self.prompts.to_dict()

        new_tools: str | Unset = UNSET
        if not isinstance(self.new_tools, Unset):
            new_tools = self.new_tools.value

        server_requests: list[str] | Unset = UNSET
        if not isinstance(self.server_requests, Unset):
            server_requests = []
            for server_requests_item_data in self.server_requests:
                server_requests_item = server_requests_item_data.value
                server_requests.append(server_requests_item)

        calls_per_minute: int | None | Unset
        if isinstance(self.calls_per_minute, Unset):
            calls_per_minute = UNSET
        else:
            calls_per_minute = self.calls_per_minute

        result_bytes: int | None | Unset
        if isinstance(self.result_bytes, Unset):
            result_bytes = UNSET
        else:
            result_bytes = self.result_bytes

        streams: int | None | Unset
        if isinstance(self.streams, Unset):
            streams = UNSET
        else:
            streams = self.streams

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if tools is not UNSET:
            field_dict["tools"] = tools
        if resources is not UNSET:
            field_dict["resources"] = resources
        if prompts is not UNSET:
            field_dict["prompts"] = prompts
        if new_tools is not UNSET:
            field_dict["new_tools"] = new_tools
        if server_requests is not UNSET:
            field_dict["server_requests"] = server_requests
        if calls_per_minute is not UNSET:
            field_dict["calls_per_minute"] = calls_per_minute
        if result_bytes is not UNSET:
            field_dict["result_bytes"] = result_bytes
        if streams is not UNSET:
            field_dict["streams"] = streams

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.name_patterns_body import NamePatternsBody
        from ..models.tool_patterns_body import ToolPatternsBody

        d = dict(src_dict)
        _tools = d.pop("tools", UNSET)
        tools: ToolPatternsBody | Unset
        if isinstance(_tools, Unset):
            tools = UNSET
        else:
            tools = ToolPatternsBody.from_dict(_tools)

        _resources = d.pop("resources", UNSET)
        resources: NamePatternsBody | Unset
        if isinstance(_resources, Unset):
            resources = UNSET
        else:
            resources = NamePatternsBody.from_dict(_resources)

        _prompts = d.pop("prompts", UNSET)
        prompts: NamePatternsBody | Unset
        if isinstance(_prompts, Unset):
            prompts = UNSET
        else:
            prompts = NamePatternsBody.from_dict(_prompts)

        _new_tools = d.pop("new_tools", UNSET)
        new_tools: McpPolicyBodyType0NewTools | Unset
        if isinstance(_new_tools, Unset):
            new_tools = UNSET
        else:
            new_tools = McpPolicyBodyType0NewTools(_new_tools)

        _server_requests = d.pop("server_requests", UNSET)
        server_requests: list[McpPolicyBodyType0ServerRequestsItem] | Unset = UNSET
        if _server_requests is not UNSET:
            server_requests = []
            for server_requests_item_data in _server_requests:
                server_requests_item = McpPolicyBodyType0ServerRequestsItem(server_requests_item_data)

                server_requests.append(server_requests_item)

        def _parse_calls_per_minute(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        calls_per_minute = _parse_calls_per_minute(d.pop("calls_per_minute", UNSET))

        def _parse_result_bytes(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        result_bytes = _parse_result_bytes(d.pop("result_bytes", UNSET))

        def _parse_streams(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        streams = _parse_streams(d.pop("streams", UNSET))

        mcp_policy_body_type_0 = cls(
            tools=tools,
            resources=resources,
            prompts=prompts,
            new_tools=new_tools,
            server_requests=server_requests,
            calls_per_minute=calls_per_minute,
            result_bytes=result_bytes,
            streams=streams,
        )

        return mcp_policy_body_type_0
