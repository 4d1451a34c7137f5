// What test/client/generated-clients.clients-spec.ts asks of every client.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"journey/gateway"

	"github.com/google/uuid"
)

func main() {
	client, err := gateway.NewClientWithResponses(os.Getenv("GATEWAY_API"), gateway.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("GATEWAY_TOKEN"))
			return nil
		}))
	check(err)
	ctx := context.Background()
	told := map[string]any{}
	catalog, err := client.ListMcpCatalogWithResponse(ctx)
	check(err)
	told["catalog"] = len(*catalog.JSON200) > 0

	secret := map[string]string{}
	for _, pair := range strings.Split(os.Getenv("TARGET"), " ") {
		name, value, _ := strings.Cut(pair, "=")
		secret[name] = value
	}
	groups := []string{"*"}
	connection, err := client.CreateConnectionWithResponse(ctx, gateway.ConnectionBody{
		Name: os.Getenv("NAME"), Type: "database", Subtype: "postgres", Secret: secret, AccessGroups: &groups,
	})
	check(err)
	told["connection"] = connection.JSON201.Name
	entry := gateway.RuleEntryBody{Type: "deny_words_list", Words: []string{"DROP TABLE"}}
	rule, err := client.CreateGuardRailWithResponse(ctx, gateway.GuardrailBody{
		Name:          os.Getenv("NAME"),
		Input:         &gateway.RuleSetBody{Rules: []gateway.RuleEntryBody{entry}},
		ConnectionIds: &[]uuid.UUID{connection.JSON201.Id},
	})
	check(err)
	if rule.JSON201 == nil {
		panic(string(rule.Body))
	}

	run := func(script string) *gateway.ExecView {
		answer, err := client.CreateSessionWithResponse(ctx,
			gateway.ExecBody{Connection: connection.JSON201.Name, Script: script})
		check(err)
		return answer.JSON200
	}
	read := func(id uuid.UUID, query gateway.GetSessionParams) *gateway.SessionView {
		answer, err := client.GetSessionWithResponse(ctx, id, &query)
		check(err)
		return answer.JSON200
	}
	told["blocked"] = run("DROP TABLE customers").OutputStatus
	done := run("SELECT 1 AS one")
	told["output"] = done.Output
	expand := []gateway.GetSessionParamsExpand{"event_stream"}
	told["plain"] = read(done.SessionId, gateway.GetSessionParams{Expand: &expand}).EventStream
	for _, form := range []gateway.GetSessionParamsEventStream{"utf8", "base64", "raw-queries"} {
		told[string(form)] = read(done.SessionId, gateway.GetSessionParams{EventStream: &form}).EventStream
	}
	told["unreviewed"] = read(done.SessionId, gateway.GetSessionParams{}).Review

	review, err := client.GetReviewWithResponse(ctx, uuid.MustParse(os.Getenv("REVIEW")))
	check(err)
	by, err := json.Marshal(review.JSON200.ReviewGroupsData[0].ReviewedBy)
	check(err)
	told["review"] = fmt.Sprintf("%s %s", review.JSON200.Status, by)
	waiting := read(*review.JSON200.SessionId, gateway.GetSessionParams{})
	told["waiting"] = fmt.Sprintf("%s %s", waiting.Review.Status, waiting.Script.Data)
	// The audit log has values of every type.
	logs, err := client.ListAuditLogsWithResponse(ctx, nil)
	check(err)
	if logs.JSON200 == nil {
		panic(string(logs.Body))
	}
	missing, err := client.GetGuardRailWithResponse(ctx, uuid.MustParse("00000000-0000-4000-8000-000000000000"))
	check(err)
	told["error"] = fmt.Sprintf(`%d {"message":%q}`, missing.StatusCode(), missing.JSON404.Message)
	check(json.NewEncoder(os.Stdout).Encode(told))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
