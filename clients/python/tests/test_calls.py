"""Signing in, errors, changes and retries."""

from collections.abc import Callable
from threading import Thread

import httpx
import pytest
from conftest import Failing, Open, variable

from access_gateway import Gateway, GatewayError, change
from access_gateway.models import (
    AccessRuleBody,
    AccessRuleBodyAccessType,
    ConnectionPatchBody,
    ExecBody,
    GroupBody,
    SessionView,
)
from access_gateway.retries import DAY, Retries, retry_after

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def test_a_key_and_a_person_sign_in(gateway: Gateway, connect: Open) -> None:
    assert gateway.get_user_info().body.identity_type == "machine"
    assert gateway.get_user_info().request_id != ""
    asked: list[str | None] = []

    def provide(refused: str | None) -> str:
        asked.append(refused)
        return variable("GATEWAY_TOKEN")

    person = connect(credential=provide)
    assert [person.get_user_info().body.identity_type for _ in range(2)] == ["user", "user"]
    assert asked == [None, None]
    with pytest.raises(GatewayError) as error:
        connect(credential="gwk_wrong").get_user_info()
    assert error.value.status == 401


def test_a_token_that_is_refused_is_replaced_once(connect: Open) -> None:
    asked: list[str | None] = []

    def provide(refused: str | None) -> str:
        asked.append(refused)
        return "gwk_old" if refused is None else variable("GATEWAY_KEY")

    ran = connect(credential=provide).create_session(ExecBody(connection="orders", script="SELECT 1 AS one"))
    assert ran.body.output == "one\n1\n"
    assert asked == [None, "gwk_old"]


def test_without_a_token_nothing_is_sent(connect: Open) -> None:
    def fail(_: str | None) -> str:
        raise LookupError("the provider cannot be reached")

    failing = Failing("/status/429/1/0")
    with pytest.raises(LookupError):
        connect(failing.address, fail).get_user_info()
    assert failing.count() == 0


def test_errors_are_sentences(gateway: Gateway, make: Callable[[str], str]) -> None:
    with pytest.raises(GatewayError, match="^404: there is no guardrail with this id$"):
        gateway.get_guard_rail(UNKNOWN)
    make("python-twice")
    with pytest.raises(GatewayError, match="^409: a connection named python-twice already exists$"):
        make("python-twice")
    with pytest.raises(GatewayError, match="reviewers_groups must name at least one group") as error:
        gateway.create_access_request_rule(
            AccessRuleBody(
                name="python-rule",
                access_type=AccessRuleBodyAccessType.JIT,
                connection_names=["python-twice"],
            )
        )
    assert error.value.status == 422
    assert error.value.request_id


@pytest.mark.parametrize(
    "address",
    [
        "gateway.example.com/api",
        "ftp://gateway.example.com",
        "https://me:word@gateway.example.com",
        "https://x/api?y=1",
    ],
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(ValueError, match="the address of the API must"):
        Gateway(address)


def test_changes_keep_what_they_do_not_name(gateway: Gateway, make: Callable[[str], str]) -> None:
    etag = make("python-changes")
    kept = gateway.patch_connection(
        "python-changes", ConnectionPatchBody(retention_days=30, description="kept"), if_match=etag
    )
    assert kept.body.retention_days == 30
    with pytest.raises(GatewayError, match="^412"):
        gateway.patch_connection("python-changes", ConnectionPatchBody(description="lost"), if_match=etag)
    cleared = gateway.patch_connection(
        "python-changes", ConnectionPatchBody(retention_days=None, access_groups=[]), if_match=kept.etag
    )
    assert (cleared.body.retention_days, cleared.body.access_groups) == (None, [])
    assert cleared.body.description == "kept"


def test_changes_of_several_are_all_kept(gateway: Gateway, make: Callable[[str], str]) -> None:
    make("python-several")

    def append() -> None:
        change(
            lambda: gateway.get_connection("python-several"),
            lambda read: gateway.patch_connection(
                "python-several",
                ConnectionPatchBody(description=f"{read.body.description}x"),
                if_match=read.etag,
            ),
        )

    threads = [Thread(target=append) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert gateway.get_connection("python-several").body.description == "xxx"


def read(gateway: Gateway) -> None:
    gateway.get_user_info()


def remove(gateway: Gateway) -> None:
    gateway.delete_group("python-none")


def write(gateway: Gateway) -> None:
    gateway.create_group(GroupBody(name="python-group"))


@pytest.mark.parametrize(
    ("fault", "call", "outcome", "requests"),
    [
        ("/status/429/1/2", read, None, 3),
        ("/status/429/date/1", read, None, 2),
        ("/status/503/none/1", read, None, 2),
        ("/status/503/none/9", read, 503, 4),
        # Too long to wait for.
        ("/status/429/3600/1", read, 429, 1),
        ("/status/429/99999999999999999999/1", read, 429, 1),
        ("/status/502/none/1", read, 502, 1),
        ("/status/503/none/1", remove, 404, 2),
        # What is not idempotent is sent once.
        ("/status/429/1/1", write, 429, 1),
        ("/status/503/none/1", write, 503, 1),
        ("/drop/2", read, None, 3),
        ("/drop/1", remove, 404, 2),
        ("/drop/1", write, httpx.TransportError, 1),
    ],
)
def test_retries(
    connect: Open,
    fault: str,
    call: Callable[[Gateway], None],
    outcome: int | type[Exception] | None,
    requests: int,
) -> None:
    failing = Failing(fault)
    client = connect(failing.address)
    if outcome is None:
        call(client)
    elif isinstance(outcome, int):
        with pytest.raises(GatewayError) as error:
            call(client)
        assert error.value.status == outcome
    else:
        with pytest.raises(outcome):
            call(client)
    assert failing.count() == requests


def test_an_error_says_how_long_to_wait_and_is_no_html(connect: Open) -> None:
    with pytest.raises(GatewayError) as error:
        read(connect(Failing("/status/429/99999999999999999999/1").address))
    assert error.value.retry_after == DAY
    with pytest.raises(GatewayError, match="^502: Bad Gateway$"):
        read(connect(Failing("/status/502/none/1").address))


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("0", None),
        ("-3", None),
        ("nan", None),
        ("1.5", 1.5),
        ("30", 30),
        ("86401", DAY),
        ("inf", DAY),
        ("Tue, 24 Nov 2026 12:00:10 GMT", 10),
        ("Tue, 24 Nov 2026 11:00:00 GMT", None),
        ("Tue, 24 Nov 2099 12:00:00 GMT", DAY),
    ],
)
def test_retry_after(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, now=1_795_521_600) == seconds


def test_waits_are_bounded() -> None:
    later = httpx.Response(429, headers={"retry-after": "10"})
    for attempt in range(1, 100):
        assert 0 < Retries(max_wait=10).back_off(attempt) <= 10
    assert 10 <= (Retries().wait(1, "GET", later) or 0) <= 11
    assert (
        Retries(max_wait=2 * DAY).wait(1, "GET", httpx.Response(429, headers={"retry-after": "1e9"})) or 0
    ) <= DAY
    assert Retries().wait(1, "POST", later) is None


def test_answers_may_grow(gateway: Gateway) -> None:
    ran = gateway.create_session(ExecBody(connection="orders", script="SELECT 1")).body
    fields = gateway.get_session(ran.session_id).body.to_dict()
    grown = SessionView.from_dict({**fields, "status": "paused", "exit_code": None, "moods": [1]})
    assert (grown.status, grown.exit_code, grown.additional_properties) == ("paused", None, {"moods": [1]})
    assert grown.to_dict() == {**fields, "status": "paused", "exit_code": None, "moods": [1]}


@pytest.mark.parametrize("wrong", ["gwk_secret\nline", "gwk_sec ret", "gwk_secret…", "gwk_secret\0", ""])
def test_a_token_that_cannot_be_sent_is_not_shown(wrong: str) -> None:
    with Gateway(variable("GATEWAY_API"), wrong) as client, pytest.raises(ValueError) as raised:
        client.get_user_info()
    assert "gwk_sec" not in str(raised.value)
