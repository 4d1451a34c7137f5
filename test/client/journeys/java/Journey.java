import java.util.*;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** What test/client/generated-clients.clients-spec.ts asks of every client; Library is that of the HTTP library. */
public class Journey {
  public static void main(String[] arguments) throws Exception {
    Map<String, String> given = System.getenv();
    ApiClient client = Library.client(given.get("GATEWAY_API"), given.get("GATEWAY_TOKEN"));
    Map<String, Object> told = new TreeMap<>();
    ConnectionsApi connections = new ConnectionsApi(client);
    SessionsApi sessions = new SessionsApi(client);
    told.put("catalog", connections.listMcpCatalog().size() > 0);

    Map<String, String> secret = new HashMap<>();
    for (String pair : given.get("TARGET").split(" "))
      secret.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    ConnectionView connection = connections.createConnection(new ConnectionBody()
        .name(given.get("NAME"))
        .type(ConnectionBody.TypeEnum.DATABASE)
        .subtype(ConnectionBody.SubtypeEnum.POSTGRES)
        .accessGroups(List.of("*"))
        .secret(secret));
    told.put("connection", connection.getName());
    RuleEntryBody entry = new RuleEntryBody()
        .type(RuleEntryBody.TypeEnum.DENY_WORDS_LIST).words(List.of("DROP TABLE")).patternRegex("");
    new GuardRailsApi(client).createGuardRail(new GuardrailBody()
        .name(given.get("NAME"))
        .input(new RuleSetBody().rules(List.of(entry)))
        .connectionIds(List.of(connection.getId())));

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
    try {
      new GuardRailsApi(client).getGuardRail(UUID.fromString("00000000-0000-4000-8000-000000000000"));
    } catch (ApiException fault) {
      told.put("error", fault.getCode() + " " + fault.getResponseBody());
    }
    System.out.println(Library.json(told));
  }
}
