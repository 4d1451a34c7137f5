// What test/client/generated-clients.clients-spec.ts asks of every client.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	gateway "github.com/access-gateway/client"
)

func main() {
	configuration := gateway.NewConfiguration()
	configuration.Servers = gateway.ServerConfigurations{{URL: os.Getenv("GATEWAY_API")}}
	client := gateway.NewAPIClient(configuration)
	signedIn := func(token string) context.Context {
		return context.WithValue(context.Background(), gateway.ContextAccessToken, token)
	}
	told := map[string]any{}
	name := os.Getenv("NAME")
	wanted := gateway.NewApiKeyBody(name)
	wanted.SetGroups([]string{"admin"})
	key, _, err := client.MachineIdentitiesAPI.CreateApiKey(signedIn(os.Getenv("GATEWAY_TOKEN"))).
		ApiKeyBody(*wanted).Execute()
	check(err)
	ctx := signedIn(key.GetKey())
	me, _, err := client.AuthenticationAPI.GetUserInfo(ctx).Execute()
	check(err)
	told["me"] = me.GetIdentityType() + " " + me.GetRole()
	catalog, _, err := client.ConnectionsAPI.ListMcpCatalog(ctx).Execute()
	check(err)
	told["catalog"] = len(catalog) > 0

	secret := map[string]string{}
	for _, pair := range strings.Split(os.Getenv("TARGET"), " ") {
		name, value, _ := strings.Cut(pair, "=")
		secret[name] = value
	}
	body := gateway.NewConnectionBody(name)
	body.SetType("database")
	body.SetSubtype("postgres")
	body.SetSecret(secret)
	body.SetAccessGroups([]string{"*"})
	body.SetRecordResults(true)
	connection, _, err := client.ConnectionsAPI.CreateConnection(ctx).ConnectionBody(*body).Execute()
	check(err)
	told["connection"] = connection.GetName()
	_, _, err = client.ConnectionsAPI.CreateConnection(ctx).ConnectionBody(*body).Execute()
	told["conflict"] = refusal(err)
	page, _, err := client.ConnectionsAPI.ListConnections(ctx).Search(name).Execute()
	check(err)
	told["listed"] = page.Pages.GetTotal()
	_, response, err := client.ConnectionsAPI.GetConnection(ctx, name).Execute()
	check(err)
	change := func(description string) (*gateway.CheckedConnectionView, error) {
		patch := gateway.NewConnectionPatchBody()
		patch.SetDescription(description)
		view, _, err := client.ConnectionsAPI.PatchConnection(ctx, name).
			ConnectionPatchBody(*patch).IfMatch(response.Header.Get("ETag")).Execute()
		return view, err
	}
	updated, err := change("changed")
	check(err)
	told["updated"] = updated.GetDescription()
	told["kept"] = updated.GetRecordResults()
	_, err = change("lost")
	told["stale"] = refusal(err)

	entry := gateway.NewRuleEntryBody("deny_words_list", []string{"DROP TABLE"}, "")
	rule := gateway.NewGuardrailBody(name)
	rule.SetInput(*gateway.NewRuleSetBody([]gateway.RuleEntryBody{*entry}))
	rule.SetConnectionIds([]string{connection.GetId()})
	_, _, err = client.GuardRailsAPI.CreateGuardRail(ctx).GuardrailBody(*rule).Execute()
	check(err)
	_, _, err = client.GuardRailsAPI.GetGuardRail(ctx, "00000000-0000-4000-8000-000000000000").Execute()
	told["missing"] = refusal(err)

	review := gateway.NewAccessRuleBody(name, "jit")
	review.SetConnectionNames([]string{name})
	_, _, err = client.AccessRequestsAPI.CreateAccessRequestRule(ctx).AccessRuleBody(*review).Execute()
	told["refused"] = refusal(err)
	review.SetReviewersGroups([]string{"dba"})
	review.SetMinApprovals(1)
	review.SetAccessMaxDuration(600)
	_, _, err = client.AccessRequestsAPI.CreateAccessRequestRule(ctx).AccessRuleBody(*review).Execute()
	check(err)
	kept, _, err := client.AccessRequestsAPI.GetAccessRequestRule(ctx, name).Execute()
	check(err)
	told["rule"] = kept.GetAccessMaxDuration()
	_, err = client.AccessRequestsAPI.DeleteAccessRequestRule(ctx, name).Execute()
	check(err)

	run := func(script string) *gateway.ExecView {
		view, _, err := client.SessionsAPI.CreateSession(ctx).
			ExecBody(*gateway.NewExecBody(connection.GetName(), script)).Execute()
		check(err)
		return view
	}
	told["blocked"] = run("DROP TABLE customers").GetOutputStatus()
	done := run("SELECT 1 AS one")
	told["output"] = done.GetOutput()
	session, _, err := client.SessionsAPI.GetSession(ctx, done.GetSessionId()).Expand([]string{"event_stream"}).Execute()
	check(err)
	told["plain"] = session.GetEventStream()
	for _, form := range []string{"utf8", "base64", "raw-queries"} {
		session, _, err = client.SessionsAPI.GetSession(ctx, done.GetSessionId()).EventStream(form).Execute()
		check(err)
		told[form] = session.GetEventStream()
	}
	told["unreviewed"] = session.Review.Get()

	request, _, err := client.ReviewsAPI.GetReview(ctx, os.Getenv("REVIEW")).Execute()
	check(err)
	by, err := json.Marshal(request.GetReviewGroupsData()[0].ReviewedBy.Get())
	check(err)
	told["review"] = fmt.Sprintf("%s %s", request.GetStatus(), by)
	waiting, _, err := client.SessionsAPI.GetSession(ctx, request.GetSessionId()).Execute()
	check(err)
	told["waiting"] = fmt.Sprintf("%s %s", waiting.Review.Get().GetStatus(), waiting.Script.Get().GetData())
	// The audit log has values of every type.
	_, _, err = client.AuditAPI.ListAuditLogs(ctx).Execute()
	check(err)

	_, err = client.ConnectionsAPI.DeleteConnection(ctx, name).Execute()
	check(err)
	_, _, err = client.ConnectionsAPI.GetConnection(ctx, name).Execute()
	told["gone"] = refusal(err)
	_, err = client.MachineIdentitiesAPI.RevokeApiKey(ctx, key.GetId()).Execute()
	check(err)
	_, _, err = client.AuthenticationAPI.GetUserInfo(ctx).Execute()
	told["revoked"] = refusal(err)
	check(json.NewEncoder(os.Stdout).Encode(told))
}

// What the gateway says of a call that it refuses: the status, and the message of the typed body.
func refusal(err error) string {
	fault := err.(*gateway.GenericOpenAPIError)
	status, _, _ := strings.Cut(fault.Error(), " ")
	body := fault.Model().(gateway.ErrorBody)
	return status + " " + body.GetMessage()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
