"""An MCP server by FastMCP, 2 or 4, with what a client may meet. Arguments: its port, and `json` for answers without streams."""

import sys
from dataclasses import dataclass

import anyio
from fastmcp import Context, FastMCP

try:
    import mcp_types as types
except ImportError:
    from mcp import types

CHANGES = {
    "tools": (types.ToolListChangedNotification, "notifications/tools/list_changed"),
    "prompts": (types.PromptListChangedNotification, "notifications/prompts/list_changed"),
    "resources": (types.ResourceListChangedNotification, "notifications/resources/list_changed"),
}
QUESTION = types.SamplingMessage(role="user", content=types.TextContent(type="text", text="The capital of France?"))

server = FastMCP("python")


@dataclass
class Choice:
    environment: str


@server.tool
def echo(text: str) -> str:
    return text


@server.tool
def add(a: int, b: int) -> dict[str, int]:
    return {"sum": a + b}


@server.tool
def fail() -> str:
    raise ValueError("it did not work")


@server.tool
async def progress(ctx: Context) -> str:
    for step in range(1, 4):
        await ctx.report_progress(step, 3, f"step {step}")
    return "done"


@server.tool
async def log(ctx: Context) -> str:
    await ctx.debug("a detail")
    await ctx.warning("a warning")
    return "logged"


@server.tool
async def ask_person(ctx: Context) -> str:
    answer = await ctx.elicit("Which environment?", response_type=Choice)
    return f"{answer.action} {answer.data.environment}" if answer.action == "accept" else answer.action


@server.tool
async def ask_model(ctx: Context) -> str:
    answer = await ctx.session.create_message(messages=[QUESTION], max_tokens=20, related_request_id=ctx.request_id)
    return answer.content.text


@server.tool
async def ask_roots(ctx: Context) -> str:
    return ", ".join(str(root.uri) for root in (await ctx.session.list_roots()).roots)


@server.tool
async def change(what: str, ctx: Context) -> str:
    kind, method = CHANGES[what]
    if hasattr(ctx, "send_notification"):
        await ctx.send_notification(kind(method=method))
    else:
        notification = types.ServerNotification(kind(method=method))
        await ctx.session.send_notification(notification, related_request_id=ctx.request_id)
    return "changed"


@server.tool
async def change_outside(ctx: Context) -> str:
    await ctx.session.send_tool_list_changed()
    return "changed"


@server.tool
async def wait(seconds: float) -> str:
    await anyio.sleep(seconds)
    return "waited"


@server.resource("test://text")
def text() -> str:
    return "a text"


@server.resource("test://people/{name}")
def person(name: str) -> str:
    return f"about {name}"


@server.prompt
def greet(who: str) -> str:
    return f"Greet {who}."


server.run(
    transport="http",
    host="127.0.0.1",
    port=int(sys.argv[1]),
    path="/mcp",
    json_response="json" in sys.argv[2:],
    show_banner=False,
    log_level="ERROR",
)
