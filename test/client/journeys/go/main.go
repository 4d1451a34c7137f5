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
	ctx := context.WithValue(context.Background(), gateway.ContextAccessToken, os.Getenv("GATEWAY_TOKEN"))
	told := map[string]any{}
	catalog, _, err := client.ConnectionsAPI.ListMcpCatalog(ctx).Execute()
	check(err)
	told["catalog"] = len(catalog) > 0

	secret := map[string]string{}
	for _, pair := range strings.Split(os.Getenv("TARGET"), " ") {
		name, value, _ := strings.Cut(pair, "=")
		secret[name] = value
	}
	body := gateway.NewConnectionBody(os.Getenv("NAME"), "database", "postgres", secret)
	body.SetAccessGroups([]string{"*"})
	connection, _, err := client.ConnectionsAPI.CreateConnection(ctx).ConnectionBody(*body).Execute()
	check(err)
	told["connection"] = connection.GetName()
	entry := gateway.NewRuleEntryBody("deny_words_list", []string{"DROP TABLE"}, "")
	rule := gateway.NewGuardrailBody(os.Getenv("NAME"))
	rule.SetInput(*gateway.NewRuleSetBody([]gateway.RuleEntryBody{*entry}))
	rule.SetConnectionIds([]string{connection.GetId()})
	_, _, err = client.GuardRailsAPI.CreateGuardRail(ctx).GuardrailBody(*rule).Execute()
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

	review, _, err := client.ReviewsAPI.GetReview(ctx, os.Getenv("REVIEW")).Execute()
	check(err)
	by, err := json.Marshal(review.GetReviewGroupsData()[0].ReviewedBy.Get())
	check(err)
	told["review"] = fmt.Sprintf("%s %s", review.GetStatus(), by)
	waiting, _, err := client.SessionsAPI.GetSession(ctx, review.GetSessionId()).Execute()
	check(err)
	told["waiting"] = fmt.Sprintf("%s %s", waiting.Review.Get().GetStatus(), waiting.Script.Get().GetData())
	// The audit log has values of every type.
	_, _, err = client.AuditAPI.ListAuditLogs(ctx).Execute()
	check(err)
	_, response, err := client.GuardRailsAPI.GetGuardRail(ctx, "00000000-0000-4000-8000-000000000000").Execute()
	told["error"] = fmt.Sprintf("%d %s", response.StatusCode, err.(*gateway.GenericOpenAPIError).Body())
	check(json.NewEncoder(os.Stdout).Encode(told))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
