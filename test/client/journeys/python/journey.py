"""What test/client/generated-clients.clients-spec.ts asks of every client."""

import json
import os
from collections.abc import Callable
from uuid import UUID

import openapi_client as gateway

given = os.environ


def signed_in(token: str) -> gateway.ApiClient:
    return gateway.ApiClient(gateway.Configuration(host=given["GATEWAY_API"], access_token=token))


def refusal(call: Callable[[], object]) -> str:
    """What the gateway says of a call that it refuses: the status, and the message of the typed body."""
    try:
        return f"not refused: {call()}"
    except gateway.ApiException as fault:
        assert isinstance(fault.data, gateway.ErrorBody)
        return f"{fault.status} {fault.data.message}"


name = given["NAME"]
key = gateway.MachineIdentitiesApi(signed_in(given["GATEWAY_TOKEN"])).create_api_key(
    gateway.ApiKeyBody(name=name, groups=["admin"])
)
client = signed_in(key.key)
authentication = gateway.AuthenticationApi(client)
connections = gateway.ConnectionsApi(client)
guardrails = gateway.GuardRailsApi(client)
rules = gateway.AccessRequestsApi(client)
sessions = gateway.SessionsApi(client)
me = authentication.get_user_info()
told = {"me": f"{me.identity_type} {me.role}", "catalog": len(connections.list_mcp_catalog()) > 0}

secret = dict(pair.split("=", 1) for pair in given["TARGET"].split(" "))
body = gateway.ConnectionBody(
    name=name,
    type="database",
    subtype="postgres",
    secret=secret,
    access_groups=["*"],
    record_results=True,
)
connection = connections.create_connection(body)
told["connection"] = connection.name
told["conflict"] = refusal(lambda: connections.create_connection(body))
told["listed"] = connections.list_connections(search=name).pages.total
etag = connections.get_connection_with_http_info(name).headers["ETag"]


def change(description: str) -> gateway.CheckedConnectionView:
    patch = gateway.ConnectionPatchBody(description=description)
    return connections.patch_connection(name, patch, if_match=etag)


updated = change("changed")
told["updated"] = updated.description
told["kept"] = updated.record_results
told["stale"] = refusal(lambda: change("lost"))

entry = gateway.RuleEntryBody(type="deny_words_list", words=["DROP TABLE"], pattern_regex="")
guardrails.create_guard_rail(
    gateway.GuardrailBody(
        name=name, input=gateway.RuleSetBody(rules=[entry]), connection_ids=[connection.id]
    )
)
told["missing"] = refusal(lambda: guardrails.get_guard_rail(UUID("00000000-0000-4000-8000-000000000000")))

rule = gateway.AccessRuleBody(name=name, access_type="jit", connection_names=[name])
told["refused"] = refusal(lambda: rules.create_access_request_rule(rule))
rule.reviewers_groups, rule.min_approvals, rule.access_max_duration = ["dba"], 1, 600
rules.create_access_request_rule(rule)
told["rule"] = rules.get_access_request_rule(name).access_max_duration
rules.delete_access_request_rule(name)

blocked = sessions.create_session(gateway.ExecBody(connection=connection.name, script="DROP TABLE customers"))
told["blocked"] = blocked.output_status
run = sessions.create_session(gateway.ExecBody(connection=connection.name, script="SELECT 1 AS one"))
told["output"] = run.output
told["plain"] = sessions.get_session(run.session_id, expand=["event_stream"]).event_stream
for form in ("utf8", "base64", "raw-queries"):
    told[form] = sessions.get_session(run.session_id, event_stream=form).event_stream
told["unreviewed"] = sessions.get_session(run.session_id).review

review = gateway.ReviewsApi(client).get_review(UUID(given["REVIEW"]))
reviewed_by = review.review_groups_data[0].reviewed_by
told["review"] = f"{review.status} {'null' if reviewed_by is None else reviewed_by}"
waiting = sessions.get_session(review.session_id)
told["waiting"] = f"{waiting.review.status} {waiting.script.data}"
# The audit log has values of every type.
gateway.AuditApi(client).list_audit_logs()

connections.delete_connection(name)
told["gone"] = refusal(lambda: connections.get_connection(name))
gateway.MachineIdentitiesApi(client).revoke_api_key(key.id)
told["revoked"] = refusal(authentication.get_user_info)
print(json.dumps(told))
