import java.util.*;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** What test/client/generated-clients.clients-spec.ts asks of every client; Library is that of the HTTP library. */
public class Journey {
  public static void main(String[] arguments) throws Exception {
    Map<String, String> given = System.getenv();
    Map<String, Object> told = new TreeMap<>();
    String name = given.get("NAME");
    CreatedApiKeyView key = new MachineIdentitiesApi(Library.client(given.get("GATEWAY_API"), given.get("GATEWAY_TOKEN")))
        .createApiKey(new ApiKeyBody().name(name).groups(List.of("admin")));
    ApiClient client = Library.client(given.get("GATEWAY_API"), key.getKey());
    UserInfoView me = new AuthenticationApi(client).getUserInfo();
    told.put("me", me.getIdentityType().getValue() + " " + me.getRole().getValue());
    ConnectionsApi connections = new ConnectionsApi(client);
    SessionsApi sessions = new SessionsApi(client);
    told.put("catalog", connections.listMcpCatalog().size() > 0);

    Map<String, String> secret = new HashMap<>();
    for (String pair : given.get("TARGET").split(" "))
      secret.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    ConnectionBody body = new ConnectionBody()
        .name(name)
        .type(ConnectionBody.TypeEnum.DATABASE)
        .subtype(ConnectionBody.SubtypeEnum.POSTGRES)
        .accessGroups(List.of("*"))
        .recordResults(true)
        .secret(secret);
    CheckedConnectionView connection = connections.createConnection(body);
    told.put("connection", connection.getName());
    told.put("conflict", refusal(() -> connections.createConnection(body)));
    told.put("listed", connections.listConnections(1, 10, name, null, null, null, null).getPages().getTotal());
    String etag = connections.getConnectionWithHttpInfo(name).getHeaders().get("etag").get(0);
    CheckedConnectionView updated =
        connections.patchConnection(name, new ConnectionPatchBody().description("changed"), etag);
    told.put("updated", updated.getDescription());
    told.put("kept", updated.getRecordResults());
    told.put("stale", refusal(
        () -> connections.patchConnection(name, new ConnectionPatchBody().description("lost"), etag)));

    RuleEntryBody entry = new RuleEntryBody()
        .type(RuleEntryBody.TypeEnum.DENY_WORDS_LIST).words(List.of("DROP TABLE")).patternRegex("");
    GuardRailsApi guardrails = new GuardRailsApi(client);
    guardrails.createGuardRail(new GuardrailBody()
        .name(name)
        .input(new RuleSetBody().rules(List.of(entry)))
        .connectionIds(List.of(connection.getId())));
    told.put("missing", refusal(
        () -> guardrails.getGuardRail(UUID.fromString("00000000-0000-4000-8000-000000000000"))));

    AccessRequestsApi rules = new AccessRequestsApi(client);
    AccessRuleBody rule = new AccessRuleBody()
        .name(name)
        .accessType(AccessRuleBody.AccessTypeEnum.JIT)
        .connectionNames(List.of(name));
    told.put("refused", refusal(() -> rules.createAccessRequestRule(rule)));
    rules.createAccessRequestRule(rule.reviewersGroups(List.of("dba")).minApprovals(1L).accessMaxDuration(600));
    told.put("rule", rules.getAccessRequestRule(name).getAccessMaxDuration());
    rules.deleteAccessRequestRule(name, null);

    ExecView blocked = sessions.createSession(
        new ExecBody().connection(connection.getName()).script("DROP TABLE customers"));
    told.put("blocked", blocked.getOutputStatus().getValue());
    ExecView run = sessions.createSession(
        new ExecBody().connection(connection.getName()).script("SELECT 1 AS one"));
    told.put("output", run.getOutput());
    UUID id = run.getSessionId();
    told.put("plain", sessions.getSession(id, null, null, null, null, List.of("event_stream"), null).getEventStream());
    for (String form : List.of("utf8", "base64", "raw-queries"))
      told.put(form, sessions.getSession(id, null, null, form, null, null, null).getEventStream());
    told.put("unreviewed", sessions.getSession(id, null, null, null, null, null, null).getReview());

    RequestView review = new ReviewsApi(client).getReview(UUID.fromString(given.get("REVIEW")));
    told.put("review", review.getStatus().getValue() + " " + review.getReviewGroupsData().get(0).getReviewedBy());
    SessionView waiting = sessions.getSession(review.getSessionId(), null, null, null, null, null, null);
    told.put("waiting", waiting.getReview().getStatus().getValue() + " " + waiting.getScript().getData());
    // The audit log has values of every type.
    new AuditApi(client).listAuditLogs(null, null, null, null, null, null, null, null, null);

    connections.deleteConnection(name, null);
    told.put("gone", refusal(() -> connections.getConnection(name)));
    new MachineIdentitiesApi(client).revokeApiKey(key.getId(), null);
    told.put("revoked", refusal(() -> new AuthenticationApi(client).getUserInfo()));
    System.out.println(Library.json(told));
  }

  interface Call {
    Object run() throws ApiException;
  }

  /** What the gateway says of a call that it refuses: the status, and the message of the typed body. */
  static String refusal(Call call) throws Exception {
    try {
      return "not refused: " + call.run();
    } catch (ApiException fault) {
      return fault.getCode() + " " + Library.error(fault.getResponseBody()).getMessage();
    }
  }
}
