// What test/client/generated-clients.clients-spec.ts asks of every client.
using System;
using System.Collections.Generic;
using System.Linq;
using Newtonsoft.Json;
using Org.OpenAPITools.Api;
using Org.OpenAPITools.Client;
using Org.OpenAPITools.Model;

class Journey
{
    static string Given(string name) => Environment.GetEnvironmentVariable(name);

    static Configuration SignedIn(string token) =>
        new Configuration { BasePath = Given("GATEWAY_API"), AccessToken = token };

    /// <summary>A value of an enumeration as it is on the wire.</summary>
    static string Word(object value) => JsonConvert.SerializeObject(value).Trim('"');

    /// <summary>What the gateway says of a call that it refuses: the status, and the message of the typed body.</summary>
    static string Refusal(Func<object> call)
    {
        try
        {
            return "not refused: " + call();
        }
        catch (ApiException fault)
        {
            var body = JsonConvert.DeserializeObject<ErrorBody>((string)fault.ErrorContent);
            return fault.ErrorCode + " " + body.Message;
        }
    }

    static void Main()
    {
        var told = new Dictionary<string, object>();
        var name = Given("NAME");
        var key = new MachineIdentitiesApi(SignedIn(Given("GATEWAY_TOKEN")))
            .CreateApiKey(new ApiKeyBody(name, new List<string> { "admin" }));
        var configuration = SignedIn(key.Key);
        var authentication = new AuthenticationApi(configuration);
        var connections = new ConnectionsApi(configuration);
        var guardrails = new GuardRailsApi(configuration);
        var rules = new AccessRequestsApi(configuration);
        var sessions = new SessionsApi(configuration);
        var me = authentication.GetUserInfo();
        told["me"] = Word(me.IdentityType) + " " + Word(me.Role);
        told["catalog"] = connections.ListMcpCatalog().Count > 0;

        var secret = Given("TARGET").Split(' ').Select(pair => pair.Split(new[] { '=' }, 2))
            .ToDictionary(pair => pair[0], pair => pair[1]);
        var body = new ConnectionBody(
            name: name, type: ConnectionBody.TypeEnum.Database,
            subtype: ConnectionBody.SubtypeEnum.Postgres, secret: secret,
            accessGroups: new List<string> { "*" }, recordResults: true);
        var connection = connections.CreateConnection(body);
        told["connection"] = connection.Name;
        told["conflict"] = Refusal(() => connections.CreateConnection(body));
        told["listed"] = connections.ListConnections(search: name).Pages.Total;
        var etag = connections.GetConnectionWithHttpInfo(name).Headers["ETag"].First();
        // Not PATCH: this client sends each flag and each field that may be null, set or not.
        body.Description = "changed";
        var updated = connections.UpdateConnection(name, body, etag);
        told["updated"] = updated.Description;
        told["kept"] = updated.RecordResults;
        told["stale"] = Refusal(() => connections.UpdateConnection(name, body, etag));

        var entry = new RuleEntryBody(
            RuleEntryBody.TypeEnum.DenyWordsList, new List<string> { "DROP TABLE" }, "");
        guardrails.CreateGuardRail(new GuardrailBody(
            name, input: new RuleSetBody(new List<RuleEntryBody> { entry }),
            connectionIds: new List<Guid> { connection.Id }));
        told["missing"] = Refusal(
            () => guardrails.GetGuardRail(Guid.Parse("00000000-0000-4000-8000-000000000000")));

        var rule = new AccessRuleBody(
            name, accessType: AccessRuleBody.AccessTypeEnum.Jit, connectionNames: new List<string> { name });
        told["refused"] = Refusal(() => rules.CreateAccessRequestRule(rule));
        rule.ReviewersGroups = new List<string> { "dba" };
        rule.MinApprovals = 1;
        rule.AccessMaxDuration = 600;
        rules.CreateAccessRequestRule(rule);
        told["rule"] = rules.GetAccessRequestRule(name).AccessMaxDuration;
        rules.DeleteAccessRequestRule(name);

        told["blocked"] = Word(sessions.CreateSession(new ExecBody(name, "DROP TABLE customers")).OutputStatus);
        var run = sessions.CreateSession(new ExecBody(name, "SELECT 1 AS one"));
        told["output"] = run.Output;
        told["plain"] = sessions.GetSession(run.SessionId, expand: new List<string> { "event_stream" }).EventStream;
        foreach (var form in new[] { "utf8", "base64", "raw-queries" })
            told[form] = sessions.GetSession(run.SessionId, eventStream: form).EventStream;
        told["unreviewed"] = sessions.GetSession(run.SessionId).Review;

        var review = new ReviewsApi(configuration).GetReview(Guid.Parse(Given("REVIEW")));
        var reviewedBy = review.ReviewGroupsData[0].ReviewedBy;
        told["review"] = Word(review.Status) + " " + (reviewedBy == null ? "null" : reviewedBy.ToString());
        var waiting = sessions.GetSession(review.SessionId.Value);
        told["waiting"] = Word(waiting.Review.Status) + " " + waiting.Script.Data;
        // The audit log has values of every type.
        new AuditApi(configuration).ListAuditLogs();

        connections.DeleteConnection(name);
        told["gone"] = Refusal(() => connections.GetConnection(name));
        new MachineIdentitiesApi(configuration).RevokeApiKey(key.Id);
        told["revoked"] = Refusal(() => authentication.GetUserInfo());
        Console.WriteLine(JsonConvert.SerializeObject(told));
    }
}
