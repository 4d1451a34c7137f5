"""What test/client/generated-clients.clients-spec.ts asks of every client."""

import json
import os
from uuid import UUID

from gateway_client import AuthenticatedClient, models
from gateway_client.api.access_requests import (
    create_access_request_rule,
    delete_access_request_rule,
    get_access_request_rule,
)
from gateway_client.api.audit import list_audit_logs
from gateway_client.api.authentication import get_user_info
from gateway_client.api.connections import (
    create_connection,
    delete_connection,
    get_connection,
    list_connections,
    list_mcp_catalog,
    patch_connection,
)
from gateway_client.api.guard_rails import create_guard_rail, get_guard_rail
from gateway_client.api.machine_identities import create_api_key, revoke_api_key
from gateway_client.api.reviews import get_review
from gateway_client.api.sessions import create_session, get_session
from gateway_client.types import UNSET, Response

given = os.environ


def signed_in(token: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=given["GATEWAY_API"], token=token, raise_on_unexpected_status=True)


def refusal(answer: Response) -> str:
    """What the gateway says of a call that it refuses: the status, and the message of the typed body."""
    assert isinstance(answer.parsed, models.ErrorBody), answer
    return f"{answer.status_code.value} {answer.parsed.message}"


name = given["NAME"]
key = create_api_key.sync(
    client=signed_in(given["GATEWAY_TOKEN"]), body=models.ApiKeyBody(name=name, groups=["admin"])
)
client = signed_in(key.key)
me = get_user_info.sync(client=client)
told = {"me": f"{me.identity_type.value} {me.role.value}", "catalog": len(list_mcp_catalog.sync(client=client)) > 0}

secret = dict(pair.split("=", 1) for pair in given["TARGET"].split(" "))
body = models.ConnectionBody.from_dict(
    {
        "name": name,
        "type": "database",
        "subtype": "postgres",
        "secret": secret,
        "access_groups": ["*"],
        "record_results": True,
    }
)
connection = create_connection.sync(client=client, body=body)
told["connection"] = connection.name
told["conflict"] = refusal(create_connection.sync_detailed(client=client, body=body))
told["listed"] = list_connections.sync(client=client, search=name).pages.total
etag = get_connection.sync_detailed(name, client=client).headers["etag"]


def change(description: str) -> Response:
    patch = models.ConnectionPatchBody(description=description)
    return patch_connection.sync_detailed(name, client=client, body=patch, if_match=etag)


updated = change("changed").parsed
told["updated"] = updated.description
told["kept"] = updated.record_results
told["stale"] = refusal(change("lost"))

entry = {"type": "deny_words_list", "words": ["DROP TABLE"], "pattern_regex": ""}
create_guard_rail.sync(
    client=client,
    body=models.GuardrailBody.from_dict(
        {"name": name, "input": {"rules": [entry]}, "connection_ids": [str(connection.id)]}
    ),
)
missing = UUID("00000000-0000-4000-8000-000000000000")
told["missing"] = refusal(get_guard_rail.sync_detailed(missing, client=client))

rule = models.AccessRuleBody(
    name=name, access_type=models.AccessRuleBodyAccessType.JIT, connection_names=[name]
)
told["refused"] = refusal(create_access_request_rule.sync_detailed(client=client, body=rule))
rule.reviewers_groups, rule.min_approvals, rule.access_max_duration = ["dba"], 1, 600
create_access_request_rule.sync(client=client, body=rule)
told["rule"] = get_access_request_rule.sync(name, client=client).access_max_duration
delete_access_request_rule.sync_detailed(name, client=client)


def run(script: str) -> models.ExecView:
    return create_session.sync(client=client, body=models.ExecBody(connection=connection.name, script=script))


def read(session: UUID, **query: object) -> models.SessionView:
    return get_session.sync(session, client=client, **query)


told["blocked"] = run("DROP TABLE customers").output_status.value
done = run("SELECT 1 AS one")
told["output"] = done.output
told["plain"] = read(done.session_id, expand=[models.GetSessionExpandItem.EVENT_STREAM]).event_stream
for form in models.GetSessionEventStream:
    told[form.value] = read(done.session_id, event_stream=form).event_stream
told["unreviewed"] = read(done.session_id).review

review = get_review.sync(UUID(given["REVIEW"]), client=client)
reviewed_by = review.review_groups_data[0].reviewed_by
told["review"] = f"{review.status.value} {'null' if reviewed_by in (None, UNSET) else reviewed_by}"
waiting = read(review.session_id)
told["waiting"] = f"{waiting.review.status.value} {waiting.script.data}"
# The audit log has values of every type.
list_audit_logs.sync(client=client)

delete_connection.sync_detailed(name, client=client)
told["gone"] = refusal(get_connection.sync_detailed(name, client=client))
revoke_api_key.sync_detailed(key.id, client=client)
told["revoked"] = refusal(get_user_info.sync_detailed(client=client))
print(json.dumps(told))
