package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gateway "github.com/access-gateway/access-gateway/clients/go"
)

// quick keeps the waits of retries short.
var quick = gateway.WithRetries(gateway.Retries{Attempts: 4, MaxWait: 2 * time.Second})

// started is a client of the gateway that npm run test:clients starts.
func started(t *testing.T, options ...gateway.Option) *gateway.Client {
	t.Helper()
	return at(t, variable(t, "GATEWAY_API"), options...)
}

// failing is a client whose requests meet this fault first; count tells how many came.
func failing(t *testing.T, fault string, options ...gateway.Option) (client *gateway.Client, count func() string) {
	t.Helper()
	proxy, name := variable(t, "GATEWAY_FAULTS"), fmt.Sprintf("%s-%d", strings.NewReplacer("/", "-", "#", "-").Replace(t.Name()), time.Now().UnixNano())
	return at(t, proxy+fault+"/"+name+"/api", options...), func() string {
		answer, err := http.Get(proxy + "/count/" + name)
		check(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		check(t, err)
		return string(text)
	}
}

func at(t *testing.T, address string, options ...gateway.Option) *gateway.Client {
	t.Helper()
	client, err := gateway.New(address, append([]gateway.Option{gateway.WithAPIKey(variable(t, "GATEWAY_KEY")), quick}, options...)...)
	check(t, err)
	return client
}

func variable(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Skipf("skipped: %s is not set; npm run test:clients starts a gateway", name)
	}
	return value
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, what string, is, want T) {
	t.Helper()
	if is != want {
		t.Fatalf("%s is %v, not %v", what, is, want)
	}
}

// refused is the error, which must be one of the gateway.
func refused(t *testing.T, err error) *gateway.Error {
	t.Helper()
	var it *gateway.Error
	if !errors.As(err, &it) {
		t.Fatalf("%v is not an error of the gateway", err)
	}
	return it
}

func connectionBody(t *testing.T, name string) gateway.ConnectionBody {
	t.Helper()
	secret := map[string]string{}
	check(t, json.Unmarshal([]byte(variable(t, "GATEWAY_TARGET")), &secret))
	return gateway.ConnectionBody{
		Name: name, Type: gateway.Ptr(gateway.ConnectionBodyTypeDatabase),
		Subtype: gateway.Ptr(gateway.ConnectionBodySubtypePostgres), Secret: secret, AccessGroups: []string{"*"},
	}
}

func connect(t *testing.T, client *gateway.Client, name string) *gateway.Answer[gateway.CheckedConnectionView] {
	t.Helper()
	made, err := client.CreateConnection(t.Context(), connectionBody(t, name))
	check(t, err)
	t.Cleanup(func() { _, _ = client.DeleteConnection(context.Background(), name, nil) })
	return made
}

func run(t *testing.T, client *gateway.Client, script string) gateway.ExecView {
	t.Helper()
	ran, err := client.CreateSession(t.Context(), gateway.ExecBody{Connection: "orders", Script: script})
	check(t, err)
	return ran.Body
}

func TestSignIn(t *testing.T) {
	me, err := started(t).GetUserInfo(t.Context())
	check(t, err)
	equal(t, "identity", me.Body.IdentityType, gateway.UserInfoViewIdentityTypeMachine)
	equal(t, "whether the request has an id", me.RequestID != "", true)

	asked := 0
	person := started(t, gateway.WithTokenSource(func(context.Context, string) (string, error) {
		asked++
		return variable(t, "GATEWAY_TOKEN"), nil
	}))
	for range 2 {
		me, err = person.GetUserInfo(t.Context())
		check(t, err)
		equal(t, "identity", me.Body.IdentityType, gateway.UserInfoViewIdentityTypeUser)
	}
	equal(t, "how often the source was asked", asked, 2)

	_, err = started(t, gateway.WithAPIKey("gwk_wrong")).GetUserInfo(t.Context())
	equal(t, "status of a wrong key", refused(t, err).Status, 401)

	// A token that is refused is replaced once, for any method.
	var old []string
	renewing := started(t, gateway.WithTokenSource(func(_ context.Context, refused string) (string, error) {
		old = append(old, refused)
		if refused == "" {
			return "gwk_old", nil
		}
		return variable(t, "GATEWAY_KEY"), nil
	}))
	equal(t, "output", run(t, renewing, "SELECT 1 AS one").Output, "one\n1\n")
	equal(t, "refused tokens", fmt.Sprint(old), "[ gwk_old]")

	offline := errors.New("the provider cannot be reached")
	client, count := failing(t, "/status/429/1/0", gateway.WithTokenSource(func(context.Context, string) (string, error) { return "", offline }))
	_, err = client.GetUserInfo(t.Context())
	equal(t, "whether the fault of the source is the error", errors.Is(err, offline), true)
	equal(t, "requests without a token", count(), "0")
}

func TestACredentialThatCannotBeSentIsNotShown(t *testing.T) {
	for _, wrong := range []string{"gwk_secret\nline", "gwk_secret\r", "gwk_secret\x00"} {
		_, err := started(t, gateway.WithAPIKey(wrong)).GetUserInfo(t.Context())
		if err == nil || strings.Contains(err.Error(), "gwk_sec") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

func TestErrors(t *testing.T) {
	client := started(t)
	_, err := client.GetGuardRail(t.Context(), "00000000-0000-4000-8000-000000000000")
	equal(t, "error", err.Error(), "404: there is no guardrail with this id")
	connect(t, client, "go-twice")
	_, err = client.CreateConnection(t.Context(), connectionBody(t, "go-twice"))
	equal(t, "error", err.Error(), "409: a connection named go-twice already exists")
	_, err = client.CreateAccessRequestRule(t.Context(), gateway.AccessRuleBody{
		Name: "go-rule", AccessType: gateway.AccessRuleBodyAccessTypeJit, ConnectionNames: []string{"go-twice"},
	})
	equal(t, "status", refused(t, err).Status, 422)
	equal(t, "whether all faults are named", strings.Contains(err.Error(), "reviewers_groups must name at least one group"), true)
	for _, address := range []string{"gateway.example.com/api", "ftp://gateway.example.com", "https://user:word@gateway.example.com/api", "https://gateway.example.com/api?x=1"} {
		_, err := gateway.New(address)
		equal(t, "whether "+address+" is refused", err != nil, true)
	}
}

func TestChanges(t *testing.T) {
	client := started(t)
	made := connect(t, client, "go-changes")
	patch := func(body gateway.ConnectionPatchBody, tag string) (*gateway.Answer[gateway.CheckedConnectionView], error) {
		return client.PatchConnection(t.Context(), "go-changes", &gateway.PatchConnectionParams{IfMatch: &tag}, body)
	}
	kept, err := patch(gateway.ConnectionPatchBody{RetentionDays: gateway.Set(30), Description: gateway.Ptr("kept")}, made.ETag)
	check(t, err)
	equal(t, "retention", *kept.Body.RetentionDays, 30)
	_, err = patch(gateway.ConnectionPatchBody{Description: gateway.Ptr("lost")}, made.ETag)
	equal(t, "status of a stale change", refused(t, err).Status, 412)
	// Null is sent, an empty list too; what is not set stays.
	cleared, err := patch(gateway.ConnectionPatchBody{RetentionDays: gateway.Null[int](), AccessGroups: []string{}}, kept.ETag)
	check(t, err)
	equal(t, "whether retention is null", cleared.Body.RetentionDays == nil, true)
	equal(t, "number of groups", len(cleared.Body.AccessGroups), 0)
	equal(t, "description", cleared.Body.Description, "kept")
}

func TestLimitsOfTools(t *testing.T) {
	client := started(t)
	const name = "go-tools"
	limited := &gateway.MCPPolicyBody{CallsPerMinute: gateway.Set(10), Streams: gateway.Set(2)}
	_, err := client.CreateConnection(t.Context(), gateway.ConnectionBody{
		Name: name, Type: gateway.Ptr(gateway.ConnectionBodyTypeApplication),
		Subtype: gateway.Ptr(gateway.ConnectionBodySubtypeMcpproxy),
		Secret:  map[string]string{"REMOTE_URL": "https://mcp.example.com/mcp"}, MCPPolicy: limited,
	})
	check(t, err)
	t.Cleanup(func() { _, _ = client.DeleteConnection(context.Background(), name, nil) })
	// Null takes the limit away; what is not set stays.
	cleared, err := client.PatchConnection(t.Context(), name, nil, gateway.ConnectionPatchBody{
		MCPPolicy: &gateway.MCPPolicyBody{CallsPerMinute: gateway.Null[int]()},
	})
	check(t, err)
	equal(t, "whether there is no limit of calls", cleared.Body.MCPPolicy.CallsPerMinute == nil, true)
	equal(t, "streams", *cleared.Body.MCPPolicy.Streams, 2)
}

func TestChangesOfSeveral(t *testing.T) {
	client := started(t)
	connect(t, client, "go-several")
	var writers sync.WaitGroup
	for range 3 {
		writers.Add(1)
		go func() {
			defer writers.Done()
			_, err := gateway.Change(t.Context(),
				func() (*gateway.Answer[gateway.ConnectionView], error) {
					return client.GetConnection(t.Context(), "go-several")
				},
				func(read *gateway.Answer[gateway.ConnectionView]) (*gateway.Answer[gateway.CheckedConnectionView], error) {
					return client.PatchConnection(t.Context(), "go-several", &gateway.PatchConnectionParams{IfMatch: &read.ETag},
						gateway.ConnectionPatchBody{Description: gateway.Ptr(read.Body.Description + "x")})
				})
			if err != nil {
				t.Error(err)
			}
		}()
	}
	writers.Wait()
	read, err := client.GetConnection(t.Context(), "go-several")
	check(t, err)
	equal(t, "description", read.Body.Description, "xxx")
}

func TestRetries(t *testing.T) {
	read := func(client *gateway.Client) error {
		_, err := client.GetUserInfo(t.Context())
		return err
	}
	write := func(client *gateway.Client) error {
		_, err := client.CreateGroup(t.Context(), gateway.GroupBody{Name: "go-group"})
		return err
	}
	remove := func(client *gateway.Client) error {
		_, err := client.DeleteGroup(t.Context(), "go-none", nil)
		return err
	}
	for _, it := range []struct {
		fault    string
		call     func(*gateway.Client) error
		status   int
		requests string
	}{
		{"/status/429/1/2", read, 0, "3"},
		{"/status/429/date/1", read, 0, "2"},
		{"/status/503/none/1", read, 0, "2"},
		{"/status/503/none/9", read, 503, "4"},
		// Too long to wait for, and never longer than a day.
		{"/status/429/3600/1", read, 429, "1"},
		{"/status/429/99999999999999999999/1", read, 429, "1"},
		{"/status/502/none/1", read, 502, "1"},
		{"/status/503/none/1", remove, 404, "2"},
		// What is not idempotent is sent once.
		{"/status/429/1/1", write, 429, "1"},
		{"/status/503/none/1", write, 503, "1"},
		{"/drop/2", read, 0, "3"},
		{"/drop/1", remove, 404, "2"},
		{"/drop/1", write, -1, "1"},
	} {
		t.Run(it.fault, func(t *testing.T) {
			client, count := failing(t, it.fault)
			err := it.call(client)
			switch {
			case it.status == 0:
				check(t, err)
			case it.status > 0:
				equal(t, "status", refused(t, err).Status, it.status)
			default:
				equal(t, "whether it failed", err != nil, true)
			}
			equal(t, "requests", count(), it.requests)
		})
	}
	client, _ := failing(t, "/status/429/99999999999999999999/1")
	equal(t, "longest wait", refused(t, read(client)).RetryAfter, 24*time.Hour)
	client, _ = failing(t, "/status/502/none/1")
	equal(t, "error that is no sentence of the gateway", read(client).Error(), "502: Bad Gateway")

	// A caller who leaves is not kept waiting.
	ctx, leave := context.WithCancel(t.Context())
	client, _ = failing(t, "/status/429/1/9", gateway.WithTokenSource(func(context.Context, string) (string, error) {
		leave()
		return "gwk_any", nil
	}))
	_, err := client.GetUserInfo(ctx)
	equal(t, "whether it was left", errors.Is(err, context.Canceled), true)
}

func TestPages(t *testing.T) {
	client := started(t)
	var names []string
	for i := range 7 {
		names = append(names, fmt.Sprintf("go-page-%d", i))
		connect(t, client, names[i])
	}
	slices.Reverse(names)
	two := &gateway.ListConnectionsParams{Search: gateway.Ptr("go-page-"), PageSize: gateway.Ptr(2)}
	readAll := func(meanwhile func(read int)) (all []string) {
		for connection, err := range client.AllConnections(t.Context(), two) {
			check(t, err)
			all = append(all, connection.Name)
			meanwhile(len(all))
		}
		return all
	}
	equal(t, "the list", fmt.Sprint(readAll(func(int) {})), fmt.Sprint(names))

	// New ones shift the pages: nothing comes twice.
	grown := readAll(func(read int) {
		if read == 2 {
			connect(t, client, "go-page-new")
		}
	})
	equal(t, "the list that grew", fmt.Sprint(grown), fmt.Sprint(names))

	// Those that go move others up: none of the rest is skipped.
	shrunk := readAll(func(read int) {
		if read == 4 {
			for _, name := range []string{"go-page-new", names[0], names[1]} {
				_, err := client.DeleteConnection(t.Context(), name, nil)
				check(t, err)
			}
		}
	})
	equal(t, "the list that shrank", fmt.Sprint(shrunk), fmt.Sprint(append([]string{"go-page-new"}, names...)))

	for range client.AllConnections(t.Context(), two) {
		break
	}
	for _, err := range started(t, gateway.WithAPIKey("gwk_wrong")).AllConnections(t.Context(), nil) {
		equal(t, "status", refused(t, err).Status, 401)
	}
}

func TestRecording(t *testing.T) {
	client := started(t)
	ran := run(t, client, "SELECT 1 AS one; SELECT 2 AS two")
	events, err := client.Recording(t.Context(), ran.SessionID)
	check(t, err)
	equal(t, "first event", string(events[0].Type)+string(events[0].Content), "iSELECT 1 AS one; SELECT 2 AS two")

	file, err := client.Download(t.Context(), ran.SessionID, "json", nil)
	check(t, err)
	defer file.Body.Close()
	text, err := io.ReadAll(file.Body)
	check(t, err)
	equal(t, "whether the name has the id", strings.Contains(file.Name, ran.SessionID), true)
	equal(t, "content type", file.ContentType, "application/x-ndjson")
	equal(t, "whether the file has the output", strings.Contains(string(text), "one"), true)
	_, err = client.Download(t.Context(), "00000000-0000-4000-8000-000000000000", "csv", nil)
	equal(t, "status of an unknown session", refused(t, err).Status, 404)
}

func follow(t *testing.T, stream *gateway.Stream) (all []string) {
	t.Helper()
	for event, err := range stream.Events(t.Context()) {
		check(t, err)
		all = append(all, fmt.Sprintf("%v %s %s", event.Time, event.Type, event.Content))
	}
	return all
}

func TestFollow(t *testing.T) {
	client := started(t)
	ran := run(t, client, "SELECT 1 AS one; SELECT 2 AS two; SELECT 3 AS three")
	events, err := client.Recording(t.Context(), ran.SessionID)
	check(t, err)
	var want []string
	for _, event := range events {
		want = append(want, fmt.Sprintf("%v %s %s", event.Time, event.Type, event.Content))
	}
	stream := client.Follow(ran.SessionID, "")
	equal(t, "what came", fmt.Sprint(follow(t, stream)), fmt.Sprint(want))
	equal(t, "exit code", *stream.End().ExitCode, 0)
	equal(t, "what comes after the end", len(follow(t, client.Follow(ran.SessionID, stream.LastEventID()))), 0)

	first := client.Follow(ran.SessionID, "")
	for range first.Events(t.Context()) {
		break
	}
	equal(t, "what comes after the first", fmt.Sprint(follow(t, client.Follow(ran.SessionID, first.LastEventID()))), fmt.Sprint(want[1:]))

	// Each answer is cut within its second message: every event comes once.
	cut, count := failing(t, "/cut/1")
	equal(t, "what came of cut answers", fmt.Sprint(follow(t, cut.Follow(ran.SessionID, ""))), fmt.Sprint(want))
	equal(t, "whether it asked again", count() != "1", true)

	dead, count := failing(t, "/cut/0")
	for _, err := range dead.Follow(ran.SessionID, "").Events(t.Context()) {
		equal(t, "whether the cut is the error", errors.Is(err, io.ErrUnexpectedEOF), true)
	}
	equal(t, "how often it asked", count(), "4")

	for _, err := range client.Follow("00000000-0000-4000-8000-000000000000", "").Events(t.Context()) {
		equal(t, "status of an unknown session", refused(t, err).Status, 404)
	}
}

func TestFollowALiveSession(t *testing.T) {
	client := started(t)
	over := make(chan gateway.ExecView)
	go func() {
		over <- run(t, client, "SELECT 'begun'; SELECT pg_sleep(1); SELECT repeat('x', 300000) AS large")
	}()
	var session string
	for session == "" {
		open := &gateway.ListSessionsParams{Status: gateway.Ptr(gateway.ListSessionsParamsStatusOpen), Connection: gateway.Ptr("orders")}
		for it, err := range client.AllSessions(t.Context(), open) {
			check(t, err)
			session = it.ID
		}
	}
	cut, _ := failing(t, "/cut/1")
	var output strings.Builder
	stream := cut.Follow(session, "")
	for event, err := range stream.Events(t.Context()) {
		check(t, err)
		if event.Type == gateway.Output {
			output.Write(event.Content)
		}
	}
	ran := <-over
	equal(t, "session", session, ran.SessionID)
	equal(t, "output", output.String(), ran.Output)
	equal(t, "status", stream.End().Status, "done")
}
