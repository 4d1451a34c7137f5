// What test/client/generated-clients.clients-spec.ts asks of every client.
use std::collections::HashMap;
use std::env::var;
use std::error::Error as StdError;

use gateway_client::apis::configuration::Configuration;
use gateway_client::apis::{
    Error, access_requests_api, audit_api, authentication_api, connections_api, guard_rails_api,
    machine_identities_api, reviews_api, sessions_api,
};
use gateway_client::models::{
    AccessRuleBody, ApiKeyBody, ConnectionBody, ConnectionPatchBody, ErrorBody, ExecBody, GuardrailBody,
    RuleEntryBody, RuleSetBody, access_rule_body, connection_body, rule_entry_body,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

type Outcome<T> = Result<T, Box<dyn StdError>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let name = var("NAME")?;
    let mut told = Map::new();
    let mut tell = |what: &str, value: Value| told.insert(what.to_owned(), value);

    let mut wanted = ApiKeyBody::new(name.clone());
    wanted.groups = Some(vec!["admin".to_owned()]);
    let key = machine_identities_api::create_api_key(&signed_in(var("GATEWAY_TOKEN")?)?, wanted).await?;
    let gateway = signed_in(key.key)?;
    let me = authentication_api::get_user_info(&gateway).await?;
    tell("me", json!(format!("{} {}", text(me.identity_type), text(me.role))));
    tell("catalog", json!(!connections_api::list_mcp_catalog(&gateway).await?.is_empty()));

    let mut body = ConnectionBody::new(name.clone());
    body.r#type = Some(connection_body::Type::Database);
    body.subtype = Some(connection_body::Subtype::Postgres);
    body.secret = Some(target()?);
    body.access_groups = Some(vec!["*".to_owned()]);
    body.record_results = Some(true);
    let connection = connections_api::create_connection(&gateway, body.clone()).await?;
    tell("connection", json!(connection.name));
    tell("conflict", refusal(connections_api::create_connection(&gateway, body).await));
    let page =
        connections_api::list_connections(&gateway, None, None, Some(&name), None, None, None, None).await?;
    tell("listed", json!(page.pages.total));
    // The generated functions return no headers.
    let address = format!("{}/connections/{name}", gateway.base_path);
    let token = gateway.bearer_access_token.clone().unwrap_or_default();
    let response = gateway.client.get(address).bearer_auth(token).send().await?;
    let etag = response.headers()["etag"].to_str()?.to_owned();
    let change = async |description: &str| {
        let mut patch = ConnectionPatchBody::new();
        patch.description = Some(description.to_owned());
        connections_api::patch_connection(&gateway, &name, patch, Some(&etag)).await
    };
    let updated = change("changed").await?;
    tell("updated", json!(updated.description));
    tell("kept", json!(updated.record_results));
    tell("stale", refusal(change("lost").await));

    let words = vec!["DROP TABLE".to_owned()];
    let entry = RuleEntryBody::new(rule_entry_body::Type::DenyWordsList, words, String::new());
    let mut rule = GuardrailBody::new(name.clone());
    rule.input = Some(Box::new(RuleSetBody::new(vec![entry])));
    rule.connection_ids = Some(vec![connection.id]);
    guard_rails_api::create_guard_rail(&gateway, rule).await?;
    let unknown = "00000000-0000-4000-8000-000000000000";
    tell("missing", refusal(guard_rails_api::get_guard_rail(&gateway, unknown).await));

    let mut review = AccessRuleBody::new(name.clone(), access_rule_body::AccessType::Jit);
    review.connection_names = Some(vec![name.clone()]);
    let refused = access_requests_api::create_access_request_rule(&gateway, review.clone()).await;
    tell("refused", refusal(refused));
    review.reviewers_groups = Some(vec!["dba".to_owned()]);
    review.min_approvals = Some(Some(1));
    review.access_max_duration = Some(Some(600));
    access_requests_api::create_access_request_rule(&gateway, review).await?;
    let kept = access_requests_api::get_access_request_rule(&gateway, &name).await?;
    tell("rule", json!(kept.access_max_duration));
    access_requests_api::delete_access_request_rule(&gateway, &name, None).await?;

    let run = async |script: &str| {
        sessions_api::create_session(&gateway, ExecBody::new(connection.name.clone(), script.to_owned()))
            .await
    };
    tell("blocked", json!(run("DROP TABLE customers").await?.output_status));
    let done = run("SELECT 1 AS one").await?;
    tell("output", json!(done.output));
    let id = done.session_id.to_string();
    let expanded = Some(vec!["event_stream".to_owned()]);
    let session = sessions_api::get_session(&gateway, &id, None, None, None, None, expanded, None).await?;
    tell("plain", json!(session.event_stream));
    for form in ["utf8", "base64", "raw-queries"] {
        let session =
            sessions_api::get_session(&gateway, &id, None, None, Some(form), None, None, None).await?;
        tell(form, json!(session.event_stream));
    }
    tell("unreviewed", json!(session.review.flatten()));

    let request = reviews_api::get_review(&gateway, &var("REVIEW")?).await?;
    let by = serde_json::to_string(&request.review_groups_data[0].reviewed_by)?;
    tell("review", json!(format!("{} {by}", text(request.status))));
    let waiting = request.session_id.ok_or("the request has no session")?.to_string();
    let waiting = sessions_api::get_session(&gateway, &waiting, None, None, None, None, None, None).await?;
    let review = waiting.review.flatten().ok_or("the session has no review")?;
    let script = waiting.script.flatten().ok_or("the session has no script")?;
    tell("waiting", json!(format!("{} {}", text(review.status), script.data)));
    // The audit log has values of every type.
    audit_api::list_audit_logs(&gateway, None, None, None, None, None, None, None, None, None).await?;

    connections_api::delete_connection(&gateway, &name, None).await?;
    tell("gone", refusal(connections_api::get_connection(&gateway, &name).await));
    machine_identities_api::revoke_api_key(&gateway, &key.id.to_string(), None).await?;
    tell("revoked", refusal(authentication_api::get_user_info(&gateway).await));
    println!("{}", Value::Object(told));
    Ok(())
}

fn signed_in(token: String) -> Outcome<Configuration> {
    let mut gateway = Configuration::new();
    gateway.base_path = var("GATEWAY_API")?;
    gateway.bearer_access_token = Some(token);
    Ok(gateway)
}

fn target() -> Outcome<HashMap<String, String>> {
    let given = var("TARGET")?;
    let pairs = given.split(' ').filter_map(|pair| pair.split_once('='));
    Ok(pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
}

// As the API writes it.
fn text(value: impl Serialize) -> String {
    json!(value).as_str().unwrap_or_default().to_owned()
}

// What the gateway says of a call that it refuses: the status, and the message of the body.
fn refusal<T, E>(outcome: Result<T, Error<E>>) -> Value {
    let Err(Error::ResponseError(response)) = outcome else {
        panic!("the call was not refused");
    };
    let body: ErrorBody = serde_json::from_str(&response.content).expect("an error has a body");
    json!(format!("{} {}", response.status.as_u16(), body.message))
}
