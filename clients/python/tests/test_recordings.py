"""Recordings: whole, as a stream, and as a file."""

import json
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from conftest import Failing, Open

from access_gateway import Gateway, GatewayError
from access_gateway.events import Reading, event_of
from access_gateway.models import ExecBody, ExecView, ListSessionsStatus

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def run(gateway: Gateway, script: str) -> ExecView:
    return gateway.create_session(ExecBody(connection="orders", script=script)).body


def test_a_recording_and_its_file(gateway: Gateway) -> None:
    ran = run(gateway, "SELECT 1 AS one; SELECT 2 AS two")
    first = gateway.recording(ran.session_id)[0]
    assert (first.type, first.content) == ("i", b"SELECT 1 AS one; SELECT 2 AS two")
    with gateway.download(ran.session_id, "json") as file:
        assert str(ran.session_id) in file.headers["content-disposition"]
        lines = [json.loads(line) for line in file.iter_lines()]
    assert "".join(line["stream"] for line in lines) == "one\n1\ntwo\n2\n"
    with pytest.raises(GatewayError, match="^404"), gateway.download(UNKNOWN, "csv"):
        pass


def test_a_stream_has_each_event_once(gateway: Gateway, connect: Open) -> None:
    ran = run(gateway, "SELECT 1 AS one; SELECT 2 AS two; SELECT 3 AS three")
    events = gateway.recording(ran.session_id)
    stream = gateway.follow(ran.session_id)
    assert list(stream) == events
    assert stream.end is not None and (stream.end.status, stream.end.exit_code) == ("done", 0)
    assert list(gateway.follow(ran.session_id, stream.last_event_id)) == []

    begun = gateway.follow(ran.session_id)
    next(iter(begun))
    assert list(gateway.follow(ran.session_id, begun.last_event_id)) == events[1:]

    # Each answer is cut within its second message.
    cut = Failing("/cut/1")
    assert list(connect(cut.address).follow(ran.session_id)) == events
    assert cut.count() > 1
    dead = Failing("/cut/0")
    with pytest.raises(httpx.TransportError):
        list(connect(dead.address).follow(ran.session_id))
    assert dead.count() == 4
    with pytest.raises(GatewayError, match="^404"):
        list(gateway.follow(UNKNOWN))


def test_a_live_session_is_followed_to_its_end(gateway: Gateway, connect: Open) -> None:
    script = "SELECT 'begun'; SELECT pg_sleep(1); SELECT repeat('x', 300000) AS large"
    with ThreadPoolExecutor() as pool:
        over = pool.submit(run, gateway, script)
        session = None
        while session is None:
            session = next(gateway.all_sessions(status=ListSessionsStatus.OPEN, connection="orders"), None)
        stream = connect(Failing("/cut/1").address).follow(session.id)
        output = b"".join(event.content for event in stream if event.type == "o")
        assert session.id == over.result().session_id
        assert output.decode() == over.result().output
    assert stream.end is not None and stream.end.status == "done"


def test_messages_that_are_odd_or_cut() -> None:
    reading = Reading("")
    lines = [
        ": a comment",
        "",
        "id:1.0",
        'data: [1,"o",',
        'data: "YQ==",true]',
        "",
        "event: other",
        "",
        "id: 1.1",
    ]
    assert [reading.take(line) for line in lines] == [None] * len(lines)
    assert (reading.received, reading.delivered) == ("1.0", "")
    reading.begin()
    assert reading.take('data:[2,"o","Yg=="]') is None
    event = reading.take("")
    assert event is not None and (event.content, event.time.microseconds) == (b"ab", 1000)
    odd: list[object] = [[1, "i"], {}, ["x", "i", ""], [1, "i", "no base64"], None]
    for faulty in odd:
        with pytest.raises(ValueError, match="not what the API describes"):
            event_of(faulty)
