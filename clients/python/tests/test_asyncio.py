"""The same with asyncio."""

import asyncio

import httpx
import pytest
from conftest import QUICK, Failing, variable

from access_gateway import AsyncGateway, GatewayError, change_async
from access_gateway.models import ConnectionPatchBody, ExecBody


def opened(address: str | None = None) -> AsyncGateway:
    async def provide(refused: str | None) -> str:
        return "gwk_old" if refused is None else variable("GATEWAY_KEY")

    return AsyncGateway(address or variable("GATEWAY_API"), provide, retries=QUICK)


async def journey() -> None:
    async with opened() as gateway:
        ran = await gateway.create_session(ExecBody(connection="orders", script="SELECT 1 AS one; SELECT 2"))
        events = await gateway.recording(ran.body.session_id)
        stream = gateway.follow(ran.body.session_id)
        assert [event async for event in stream] == events
        assert stream.end is not None and stream.end.exit_code == 0
        async with gateway.download(ran.body.session_id, "txt") as file:
            assert (await file.aread()).decode() == ran.body.output

        seen = [session.id async for session in gateway.all_sessions(correlation_id="many")]
        assert len(set(seen)) == len(seen) == int(variable("GATEWAY_SESSIONS"))
        assert "orders" in [connection.name async for connection in gateway.all_connections(page_size=1)]
        changed = await change_async(
            lambda: gateway.get_connection("orders"),
            lambda read: gateway.patch_connection(
                "orders", ConnectionPatchBody(description="changed"), if_match=read.etag
            ),
        )
        assert changed.body.description == "changed"
        with pytest.raises(GatewayError, match="^404"):
            await gateway.get_user("00000000-0000-4000-8000-000000000000")

        cut = Failing("/cut/1")
        async with opened(cut.address) as client:
            assert [event async for event in client.follow(ran.body.session_id)] == events
    for fault in ("/status/429/1/2", "/drop/2"):
        failing = Failing(fault)
        async with opened(failing.address) as client:
            assert (await client.get_user_info()).body.identity_type == "machine"
    dead = Failing("/status/503/none/9")
    async with opened(dead.address) as client:
        with pytest.raises(GatewayError, match="^503"):
            await client.get_user_info()
    assert dead.count() == 4
    dropped = Failing("/drop/1")
    async with opened(dropped.address) as client:
        with pytest.raises(httpx.TransportError):
            await client.create_session(ExecBody(connection="orders", script="SELECT 1"))
    assert dropped.count() == 1


def test_a_journey() -> None:
    variable("GATEWAY_API")
    asyncio.run(journey())
