from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.mcp_policy_view_type_0_new_tools import McpPolicyViewType0NewTools
from ..models.mcp_policy_view_type_0_server_requests_item import (
    McpPolicyViewType0ServerRequestsItem,
)

if TYPE_CHECKING:
    from ..models.name_patterns_view import NamePatternsView
    from ..models.tool_patterns_view import ToolPatternsView


T = TypeVar("T", bound="McpPolicyViewType0")


@_attrs_define
class McpPolicyViewType0:
    """
    Attributes:
        tools (ToolPatternsView):
        resources (NamePatternsView):
        prompts (NamePatternsView):
        new_tools (McpPolicyViewType0NewTools): What happens to a tool that the gateway has not seen before: `allow`, or
            `hold` until an admin accepts it.
        server_requests (list[McpPolicyViewType0ServerRequestsItem]): Requests of the server that reach the client; the
            others are refused.
        calls_per_minute (int | None): Calls of one tool by one user or API key in a minute. Null: no limit.
        result_bytes (int | None): Size of one result. Null: the limit of the gateway.
        streams (int | None): Streams that one user or API key may have open at a time. Null: the limit of the gateway.
    """

    tools: ToolPatternsView
    resources: NamePatternsView
    prompts: NamePatternsView
    new_tools: McpPolicyViewType0NewTools
    server_requests: list[McpPolicyViewType0ServerRequestsItem]
    calls_per_minute: int | None
    result_bytes: int | None
    streams: int | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        tools = self.tools.to_dict()

        resources = self.resources.to_dict()

        prompts = self.prompts.to_dict()

        new_tools = self.new_tools.value

        server_requests = []
        for server_requests_item_data in self.server_requests:
            server_requests_item = server_requests_item_data.value
            server_requests.append(server_requests_item)

        calls_per_minute: int | None
        calls_per_minute = self.calls_per_minute

        result_bytes: int | None
        result_bytes = self.result_bytes

        streams: int | None
        streams = self.streams

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "tools": tools,
                "resources": resources,
                "prompts": prompts,
                "new_tools": new_tools,
                "server_requests": server_requests,
                "calls_per_minute": calls_per_minute,
                "result_bytes": result_bytes,
                "streams": streams,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.name_patterns_view import NamePatternsView
        from ..models.tool_patterns_view import ToolPatternsView

        d = dict(src_dict)
        tools = ToolPatternsView.from_dict(d.pop("tools"))

        resources = NamePatternsView.from_dict(d.pop("resources"))

        prompts = NamePatternsView.from_dict(d.pop("prompts"))

        new_tools = McpPolicyViewType0NewTools(d.pop("new_tools"))

        server_requests = []
        _server_requests = d.pop("server_requests")
        for server_requests_item_data in _server_requests:
            server_requests_item = McpPolicyViewType0ServerRequestsItem(server_requests_item_data)

            server_requests.append(server_requests_item)

        def _parse_calls_per_minute(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        calls_per_minute = _parse_calls_per_minute(d.pop("calls_per_minute"))

        def _parse_result_bytes(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        result_bytes = _parse_result_bytes(d.pop("result_bytes"))

        def _parse_streams(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        streams = _parse_streams(d.pop("streams"))

        mcp_policy_view_type_0 = cls(
            tools=tools,
            resources=resources,
            prompts=prompts,
            new_tools=new_tools,
            server_requests=server_requests,
            calls_per_minute=calls_per_minute,
            result_bytes=result_bytes,
            streams=streams,
        )

        mcp_policy_view_type_0.additional_properties = d
        return mcp_policy_view_type_0

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
