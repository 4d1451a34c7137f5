// What test/client/generated-clients.clients-spec.ts asks of every client.
use std::collections::HashMap;
use std::env::var;
use std::error::Error as StdError;

use gateway::types::{
    AccessRuleBody, ApiKeyBody, ConnectionBody, ConnectionPatchBody, ErrorBody, ExecBody,
    GetSessionExpandItem, GuardrailBody,
};
use progenitor_client::{Error, ResponseValue};
use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde_json::{Map, Value, from_value, json};

mod gateway {
    progenitor::generate_api!(spec = "openapi.json", interface = Builder);
}

type Outcome<T> = Result<T, Box<dyn StdError>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let name = var("NAME")?;
    let mut told = Map::new();
    let mut tell = |what: &str, value: Value| told.insert(what.to_owned(), value);

    let wanted: ApiKeyBody = from_value(json!({ "name": name, "groups": ["admin"] }))?;
    let key = signed_in(&var("GATEWAY_TOKEN")?)?.create_api_key().body(wanted).send().await?;
    let gateway = signed_in(&key.key)?;
    let me = gateway.get_user_info().send().await?;
    tell("me", json!(format!("{} {}", me.identity_type, me.role)));
    tell("catalog", json!(!gateway.list_mcp_catalog().send().await?.is_empty()));

    let body: ConnectionBody = from_value(json!({
        "name": name,
        "type": "database",
        "subtype": "postgres",
        "secret": target()?,
        "access_groups": ["*"],
        "record_results": true,
    }))?;
    let connection = gateway.create_connection().body(body.clone()).send().await?;
    tell("connection", json!(connection.name));
    tell("conflict", refusal(gateway.create_connection().body(body).send().await));
    let page = gateway.list_connections().search(name.as_str()).send().await?;
    tell("listed", json!(page.pages.total));
    let read = gateway.get_connection().name_or_id(&name).send().await?;
    let etag = read.headers()["etag"].to_str()?;
    let change = async |description: &str| {
        let patch: ConnectionPatchBody =
            from_value(json!({ "description": description })).expect("it is a patch");
        gateway.patch_connection().name_or_id(&name).if_match(etag).body(patch).send().await
    };
    let updated = change("changed").await?;
    tell("updated", json!(updated.description));
    tell("kept", json!(updated.record_results));
    tell("stale", refusal(change("lost").await));

    let rule: GuardrailBody = from_value(json!({
        "name": name,
        "input": { "rules": [{ "type": "deny_words_list", "words": ["DROP TABLE"], "pattern_regex": "" }] },
        "connection_ids": [connection.id],
    }))?;
    gateway.create_guard_rail().body(rule).send().await?;
    let unknown = gateway.get_guard_rail().id("00000000-0000-4000-8000-000000000000");
    tell("missing", refusal(unknown.send().await));

    let mut review = json!({ "name": name, "access_type": "jit", "connection_names": [name] });
    let body: AccessRuleBody = from_value(review.clone())?;
    tell("refused", refusal(gateway.create_access_request_rule().body(body).send().await));
    review["reviewers_groups"] = json!(["dba"]);
    review["min_approvals"] = json!(1);
    review["access_max_duration"] = json!(600);
    let body: AccessRuleBody = from_value(review)?;
    gateway.create_access_request_rule().body(body).send().await?;
    let kept = gateway.get_access_request_rule().name(&name).send().await?;
    tell("rule", json!(kept.access_max_duration));
    gateway.delete_access_request_rule().name(&name).send().await?;

    let run = async |script: &str| {
        let body: ExecBody =
            from_value(json!({ "connection": connection.name, "script": script })).expect("it is a script");
        gateway.create_session().body(body).send().await
    };
    tell("blocked", json!(run("DROP TABLE customers").await?.output_status));
    let done = run("SELECT 1 AS one").await?;
    tell("output", json!(done.output));
    let read = || gateway.get_session().session_id(done.session_id);
    tell("plain", json!(read().expand(vec![GetSessionExpandItem::EventStream]).send().await?.event_stream));
    for form in ["utf8", "base64", "raw-queries"] {
        tell(form, json!(read().event_stream(form).send().await?.event_stream));
    }
    tell("unreviewed", json!(read().send().await?.review));

    let request = gateway.get_review().id(var("REVIEW")?).send().await?;
    let by = json!(request.review_groups_data[0].reviewed_by);
    tell("review", json!(format!("{} {by}", request.status)));
    let waiting = request.session_id.ok_or("the request has no session")?;
    let waiting = gateway.get_session().session_id(waiting).send().await?.into_inner();
    // What may be null is a type around an option.
    let review = waiting.review.and_then(|it| it.0).ok_or("the session has no review")?;
    let script = waiting.script.and_then(|it| it.0).ok_or("the session has no script")?;
    tell("waiting", json!(format!("{} {}", review.status, script.data)));
    // The audit log has values of every type.
    gateway.list_audit_logs().send().await?;

    gateway.delete_connection().name_or_id(&name).send().await?;
    tell("gone", refusal(gateway.get_connection().name_or_id(&name).send().await));
    gateway.revoke_api_key().id(key.id).send().await?;
    tell("revoked", refusal(gateway.get_user_info().send().await));
    println!("{}", Value::Object(told));
    Ok(())
}

fn signed_in(token: &str) -> Outcome<gateway::Client> {
    let headers = HeaderMap::from_iter([(AUTHORIZATION, format!("Bearer {token}").parse()?)]);
    let client = reqwest::Client::builder().default_headers(headers).build()?;
    Ok(gateway::Client::new_with_client(&var("GATEWAY_API")?, client))
}

fn target() -> Outcome<HashMap<String, String>> {
    let given = var("TARGET")?;
    let pairs = given.split(' ').filter_map(|pair| pair.split_once('='));
    Ok(pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
}

// What the gateway says of a call that it refuses: the status, and the message of the typed body.
fn refusal<T>(outcome: Result<ResponseValue<T>, Error<ErrorBody>>) -> Value {
    let Err(Error::ErrorResponse(response)) = outcome else {
        panic!("the call was not refused");
    };
    json!(format!("{} {}", response.status().as_u16(), response.message))
}
