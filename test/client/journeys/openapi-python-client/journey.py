"""What test/client/generated-clients.clients-spec.ts asks of every client."""

import json
import os
from uuid import UUID

from gateway_client import AuthenticatedClient, models
from gateway_client.api.audit import list_audit_logs
from gateway_client.api.connections import create_connection, list_mcp_catalog
from gateway_client.api.guard_rails import create_guard_rail, get_guard_rail
from gateway_client.api.reviews import get_review
from gateway_client.api.sessions import create_session, get_session
from gateway_client.types import UNSET

given = os.environ
client = AuthenticatedClient(
    base_url=given["GATEWAY_API"], token=given["GATEWAY_TOKEN"], raise_on_unexpected_status=True
)
told = {"catalog": len(list_mcp_catalog.sync(client=client)) > 0}

secret = dict(pair.split("=", 1) for pair in given["TARGET"].split(" "))
connection = create_connection.sync(
    client=client,
    body=models.ConnectionBody.from_dict(
        {
            "name": given["NAME"],
            "type": "database",
            "subtype": "postgres",
            "secret": secret,
            "access_groups": ["*"],
        }
    ),
)
told["connection"] = connection.name
entry = {"type": "deny_words_list", "words": ["DROP TABLE"], "pattern_regex": ""}
create_guard_rail.sync(
    client=client,
    body=models.GuardrailBody.from_dict(
        {"name": given["NAME"], "input": {"rules": [entry]}, "connection_ids": [str(connection.id)]}
    ),
)


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
missing = get_guard_rail.sync_detailed(UUID("00000000-0000-4000-8000-000000000000"), client=client)
told["error"] = f"{missing.status_code.value} {json.dumps(missing.parsed.to_dict())}"
print(json.dumps(told))
