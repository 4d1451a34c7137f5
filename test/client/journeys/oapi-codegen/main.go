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
	told := map[string]any{}
	name := os.Getenv("NAME")
	ctx := context.Background()
	groups := []string{"admin"}
	key, err := signedIn(os.Getenv("GATEWAY_TOKEN")).CreateApiKeyWithResponse(ctx,
		gateway.ApiKeyBody{Name: name, Groups: &groups})
	check(err)
	client := signedIn(key.JSON201.Key)
	me, err := client.GetUserInfoWithResponse(ctx)
	check(err)
	told["me"] = fmt.Sprintf("%s %s", me.JSON200.IdentityType, me.JSON200.Role)
	catalog, err := client.ListMcpCatalogWithResponse(ctx)
	check(err)
	told["catalog"] = len(*catalog.JSON200) > 0

	secret := map[string]string{}
	for _, pair := range strings.Split(os.Getenv("TARGET"), " ") {
		name, value, _ := strings.Cut(pair, "=")
		secret[name] = value
	}
	everybody, results := []string{"*"}, true
	kind, subtype := gateway.ConnectionBodyType("database"), gateway.ConnectionBodySubtype("postgres")
	body := gateway.ConnectionBody{
		Name: name, Type: &kind, Subtype: &subtype, Secret: &secret,
		AccessGroups: &everybody, RecordResults: &results,
	}
	connection, err := client.CreateConnectionWithResponse(ctx, body)
	check(err)
	told["connection"] = connection.JSON201.Name
	again, err := client.CreateConnectionWithResponse(ctx, body)
	check(err)
	told["conflict"] = refusal(again.StatusCode(), again.JSON409)
	page, err := client.ListConnectionsWithResponse(ctx, &gateway.ListConnectionsParams{Search: &name})
	check(err)
	told["listed"] = page.JSON200.Pages.Total
	read, err := client.GetConnectionWithResponse(ctx, name)
	check(err)
	etag := read.HTTPResponse.Header.Get("ETag")
	change := func(description string) *gateway.PatchConnectionResponse {
		answer, err := client.PatchConnectionWithResponse(ctx, name,
			&gateway.PatchConnectionParams{IfMatch: &etag}, gateway.ConnectionPatchBody{Description: &description})
		check(err)
		return answer
	}
	updated := change("changed")
	told["updated"] = updated.JSON200.Description
	told["kept"] = updated.JSON200.RecordResults
	stale := change("lost")
	told["stale"] = refusal(stale.StatusCode(), stale.JSON412)

	entry := gateway.RuleEntryBody{Type: "deny_words_list", Words: []string{"DROP TABLE"}}
	rule, err := client.CreateGuardRailWithResponse(ctx, gateway.GuardrailBody{
		Name:          name,
		Input:         &gateway.RuleSetBody{Rules: []gateway.RuleEntryBody{entry}},
		ConnectionIds: &[]uuid.UUID{connection.JSON201.Id},
	})
	check(err)
	if rule.JSON201 == nil {
		panic(string(rule.Body))
	}
	missing, err := client.GetGuardRailWithResponse(ctx, uuid.MustParse("00000000-0000-4000-8000-000000000000"))
	check(err)
	told["missing"] = refusal(missing.StatusCode(), missing.JSON404)

	duration, approvals, reviewers, names := 600, int64(1), []string{"dba"}, []string{name}
	access := gateway.AccessRuleBody{Name: name, AccessType: "jit", ConnectionNames: &names}
	refused, err := client.CreateAccessRequestRuleWithResponse(ctx, access)
	check(err)
	told["refused"] = refusal(refused.StatusCode(), refused.JSON422)
	access.AccessMaxDuration, access.MinApprovals, access.ReviewersGroups = &duration, &approvals, &reviewers
	_, err = client.CreateAccessRequestRuleWithResponse(ctx, access)
	check(err)
	kept, err := client.GetAccessRequestRuleWithResponse(ctx, name)
	check(err)
	told["rule"] = kept.JSON200.AccessMaxDuration
	_, err = client.DeleteAccessRequestRuleWithResponse(ctx, name, nil)
	check(err)

	run := func(script string) *gateway.ExecView {
		answer, err := client.CreateSessionWithResponse(ctx,
			gateway.ExecBody{Connection: connection.JSON201.Name, Script: script})
		check(err)
		return answer.JSON200
	}
	session := func(id uuid.UUID, query gateway.GetSessionParams) *gateway.SessionView {
		answer, err := client.GetSessionWithResponse(ctx, id, &query)
		check(err)
		return answer.JSON200
	}
	told["blocked"] = run("DROP TABLE customers").OutputStatus
	done := run("SELECT 1 AS one")
	told["output"] = done.Output
	expand := []gateway.GetSessionParamsExpand{"event_stream"}
	told["plain"] = session(done.SessionId, gateway.GetSessionParams{Expand: &expand}).EventStream
	for _, form := range []gateway.GetSessionParamsEventStream{"utf8", "base64", "raw-queries"} {
		told[string(form)] = session(done.SessionId, gateway.GetSessionParams{EventStream: &form}).EventStream
	}
	told["unreviewed"] = session(done.SessionId, gateway.GetSessionParams{}).Review

	review, err := client.GetReviewWithResponse(ctx, uuid.MustParse(os.Getenv("REVIEW")))
	check(err)
	by, err := json.Marshal(review.JSON200.ReviewGroupsData[0].ReviewedBy)
	check(err)
	told["review"] = fmt.Sprintf("%s %s", review.JSON200.Status, by)
	waiting := session(*review.JSON200.SessionId, gateway.GetSessionParams{})
	told["waiting"] = fmt.Sprintf("%s %s", waiting.Review.Status, waiting.Script.Data)
	// The audit log has values of every type.
	logs, err := client.ListAuditLogsWithResponse(ctx, nil)
	check(err)
	if logs.JSON200 == nil {
		panic(string(logs.Body))
	}

	_, err = client.DeleteConnectionWithResponse(ctx, name, nil)
	check(err)
	gone, err := client.GetConnectionWithResponse(ctx, name)
	check(err)
	told["gone"] = refusal(gone.StatusCode(), gone.JSON404)
	_, err = client.RevokeApiKeyWithResponse(ctx, key.JSON201.Id, nil)
	check(err)
	revoked, err := client.GetUserInfoWithResponse(ctx)
	check(err)
	told["revoked"] = refusal(revoked.StatusCode(), revoked.JSON401)
	check(json.NewEncoder(os.Stdout).Encode(told))
}

func signedIn(token string) *gateway.ClientWithResponses {
	client, err := gateway.NewClientWithResponses(os.Getenv("GATEWAY_API"), gateway.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token)
			return nil
		}))
	check(err)
	return client
}

// What the gateway says of a call that it refuses: the status, and the message of the typed body.
func refusal(status int, body *gateway.ErrorBody) string {
	return fmt.Sprintf("%d %s", status, body.Message)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
