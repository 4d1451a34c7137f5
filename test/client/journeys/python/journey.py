"""What test/client/generated-clients.clients-spec.ts asks of every client."""

import json
import os
from uuid import UUID

import openapi_client as gateway

given = os.environ
configuration = gateway.Configuration(host=given["GATEWAY_API"], access_token=given["GATEWAY_TOKEN"])
client = gateway.ApiClient(configuration)
connections = gateway.ConnectionsApi(client)
sessions = gateway.SessionsApi(client)
told = {"catalog": len(connections.list_mcp_catalog()) > 0}

secret = dict(pair.split("=", 1) for pair in given["TARGET"].split(" "))
connection = connections.create_connection(
    gateway.ConnectionBody(
        name=given["NAME"], type="database", subtype="postgres", secret=secret, access_groups=["*"]
    )
)
told["connection"] = connection.name
entry = gateway.RuleEntryBody(type="deny_words_list", words=["DROP TABLE"], pattern_regex="")
gateway.GuardRailsApi(client).create_guard_rail(
    gateway.GuardrailBody(
        name=given["NAME"], input=gateway.RuleSetBody(rules=[entry]), connection_ids=[connection.id]
    )
)

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
try:
    gateway.GuardRailsApi(client).get_guard_rail(UUID("00000000-0000-4000-8000-000000000000"))
except gateway.ApiException as fault:
    told["error"] = f"{fault.status} {fault.body}"
print(json.dumps(told))
