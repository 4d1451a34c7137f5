"""Tries everything at an MCP server with the Python SDK that is installed, and prints what it saw as JSON, by name of the check.

Arguments: the URL, and for SDK 2 `auto` or `legacy`. The environment variable TOKEN is a bearer token.
"""

import json
import os
import sys
import warnings
from contextlib import AsyncExitStack
from importlib.metadata import version

import anyio

warnings.simplefilter("ignore")
URL = sys.argv[1]
MODE = sys.argv[2] if len(sys.argv) > 2 else "legacy"
TOKEN = os.environ.get("TOKEN")
HEADERS = {"Authorization": f"Bearer {TOKEN}"} if TOKEN else {}
IS_SECOND = version("mcp").startswith("2.")
# Servers without streams cannot ask during a call, and some never end it.
PATIENCE = 8
# What a server sent is there after this time, on a slow machine too. What was not sent cannot be waited for.
SOON = 1

if IS_SECOND:
    import httpx2
    import mcp_types as types
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client
else:
    from mcp import ClientSession, types
    from mcp.client.streamable_http import streamablehttp_client


def dumped(value):
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


def content(result):
    """The texts of a result of a tool, and whether it is an error."""
    data = dumped(result)
    return {
        "texts": [one.get("text") for one in data["content"]],
        "structured": data.get("structuredContent"),
        "isError": data.get("isError", False),
    }


class Heard:
    """What came without being asked for, in order."""

    def __init__(self):
        self.logs = []
        self.changes = []

    async def log(self, params):
        self.logs.append([params.level, dumped(params).get("data")])

    async def message(self, message):
        message = getattr(message, "root", message)
        method = getattr(message, "method", "")
        if method.endswith("list_changed"):
            self.changes.append(method)


async def elicited(context, params):
    return types.ElicitResult(action="accept", content={"environment": "test"})


async def sampled(context, params):
    text = types.TextContent(type="text", text="Paris")
    return types.CreateMessageResult(role="assistant", content=text, model="m", stopReason="endTurn")


async def listed_roots(context):
    return types.ListRootsResult(roots=[types.Root(uri="file:///home", name="home")])


async def connected(stack, heard):
    """The client, and what makes its calls."""
    if IS_SECOND:
        http = await stack.enter_async_context(httpx2.AsyncClient(headers=HEADERS, timeout=60))
        return await stack.enter_async_context(
            Client(
                streamable_http_client(URL, http_client=http),
                mode=MODE,
                cache=None,
                logging_callback=heard.log,
                message_handler=heard.message,
                elicitation_callback=elicited,
                sampling_callback=sampled,
                list_roots_callback=listed_roots,
            )
        )
    read, write, _ = await stack.enter_async_context(streamablehttp_client(URL, headers=HEADERS))
    more = {"elicitation_callback": elicited} if hasattr(types, "ElicitResult") else {}
    session = ClientSession(
        read,
        write,
        logging_callback=heard.log,
        message_handler=heard.message,
        sampling_callback=sampled,
        list_roots_callback=listed_roots,
        **more,
    )
    client = await stack.enter_async_context(session)
    client.greeting = await client.initialize()
    return client


async def outcome(work):
    """What the work returns, or the code and type of its error."""
    try:
        with anyio.fail_after(PATIENCE):
            return await work
    except Exception as error:
        fault = getattr(error, "error", None)
        return {"error": type(error).__name__, "code": getattr(fault, "code", None)}


async def checks(client, heard, seen):
    async def call(name, **arguments):
        return content(await client.call_tool(name, arguments))

    if IS_SECOND:
        info, capabilities = client.server_info, client.server_capabilities
    else:
        info, capabilities = client.greeting.serverInfo, client.greeting.capabilities
    seen["server"] = getattr(info, "name", None)
    seen["capabilities"] = sorted(dumped(capabilities))
    seen["tools"] = sorted(tool.name for tool in (await client.list_tools()).tools)
    seen["echo"] = await call("echo", text="Grüße, 世界")
    seen["structured"] = await call("add", a=2, b=3)
    seen["tool error"] = await call("fail")
    seen["no tool"] = await outcome(call("nothing"))
    seen["resources"] = [str(one.uri) for one in (await client.list_resources()).resources]
    templates = dumped(await client.list_resource_templates())["resourceTemplates"]
    seen["templates"] = [one["uriTemplate"] for one in templates]
    for uri in ("test://text", "test://people/Ada"):
        target = uri if IS_SECOND else types.AnyUrl(uri) if hasattr(types, "AnyUrl") else uri
        seen[f"read {uri}"] = [one.get("text") for one in dumped(await client.read_resource(target))["contents"]]
    seen["no resource"] = await outcome(client.read_resource("test://none"))
    seen["prompts"] = [one.name for one in (await client.list_prompts()).prompts]
    prompt = dumped(await client.get_prompt("greet", {"who": "Ada"}))
    seen["prompt"] = [one["content"]["text"] for one in prompt["messages"]]

    steps = []

    async def stepped(at, total, message):
        steps.append([at, total, message])

    if IS_SECOND or "progress_callback" in client.call_tool.__code__.co_varnames:
        await client.call_tool("progress", {}, progress_callback=stepped)
        await anyio.sleep(SOON)
        seen["progress"] = steps
    await call("log")
    await anyio.sleep(SOON)
    seen["log without a level"] = list(heard.logs)
    for name in ("ask_person", "ask_model", "ask_roots"):
        seen[name] = await outcome(call(name))
    for what in ("tools", "prompts", "resources"):
        await call("change", what=what)
    await anyio.sleep(SOON)
    seen["changes"] = sorted(heard.changes)
    heard.changes.clear()
    await outcome(call("change_outside"))
    await anyio.sleep(SOON)
    seen["changes outside of a call"] = sorted(heard.changes)
    heard.logs.clear()
    seen["level"] = await outcome(level_set(client))
    await call("log")
    await anyio.sleep(SOON)
    seen["log with a level"] = list(heard.logs)
    seen["cancelled"] = await outcome(cancelled(client))
    seen["afterwards"] = await call("echo", text="still there")


async def level_set(client):
    await client.set_logging_level("warning")
    return "set"


async def cancelled(client):
    """A call that its caller gives up, as an application does with a time limit."""
    with anyio.move_on_after(0.5):
        await client.call_tool("wait", {"seconds": 2})
        return "answered"
    await anyio.sleep(2.5)
    return "given up"


async def left(seen):
    """A client that closes while a call runs. The SDK must come to its end without an exception."""
    async with AsyncExitStack() as stack:
        client = await connected(stack, Heard())
        group = await stack.enter_async_context(anyio.create_task_group())
        group.start_soon(client.call_tool, "wait", {"seconds": 20})
        await anyio.sleep(0.7)
        group.cancel_scope.cancel()
    seen["left early"] = "in order"


async def main():
    seen = {}
    try:
        async with AsyncExitStack() as stack:
            heard = Heard()
            client = await connected(stack, heard)
            with anyio.fail_after(120):
                await checks(client, heard, seen)
        seen["closed"] = "in order"
    except BaseException as error:
        seen["closed"] = f"{type(error).__name__}: {error!s:.300}"
    try:
        with anyio.fail_after(30):
            await left(seen)
    except BaseException as error:
        seen["left early"] = f"{type(error).__name__}: {error!s:.300}"
    print(json.dumps(seen, ensure_ascii=False))


anyio.run(main)
