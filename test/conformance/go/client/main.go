// Command client tries everything at a server with an SDK in Go, and prints what it saw as JSON, by name of the check: as
// ../typescript/client.mjs does. Argument: the URL. The environment variable TOKEN is a bearer token.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"sort"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// What a server sent is there after this time, on a slow machine too. What was not sent cannot be waited for.
	soon = time.Second
	// Servers without streams cannot ask during a call, and some never end it.
	patience = 8 * time.Second
)

type bearer struct{ token string }

func (b bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	if b.token != "" {
		request = request.Clone(request.Context())
		request.Header.Set("Authorization", "Bearer "+b.token)
	}
	return http.DefaultTransport.RoundTrip(request)
}

type client struct {
	session *mcp.ClientSession
	lock    sync.Mutex
	logs    [][2]any
	changes []string
	steps   [][2]float64
}

func (c *client) note(add func()) {
	c.lock.Lock()
	defer c.lock.Unlock()
	add()
}

func (c *client) heardLogs() [][2]any {
	c.lock.Lock()
	defer c.lock.Unlock()
	logs := append([][2]any{}, c.logs...)
	c.logs = nil
	return logs
}

func (c *client) heardChanges() []string {
	c.lock.Lock()
	defer c.lock.Unlock()
	changes := append([]string{}, c.changes...)
	c.changes = nil
	sort.Strings(changes)
	return changes
}

func connected(ctx context.Context, url string) (*client, error) {
	c := &client{}
	options := &mcp.ClientOptions{
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{
				Role: "assistant", Model: "m", StopReason: "endTurn", Content: &mcp.TextContent{Text: "Paris"},
			}, nil
		},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"environment": "test"}}, nil
		},
		LoggingMessageHandler: func(_ context.Context, request *mcp.LoggingMessageRequest) {
			c.note(func() { c.logs = append(c.logs, [2]any{request.Params.Level, request.Params.Data}) })
		},
		ProgressNotificationHandler: func(_ context.Context, request *mcp.ProgressNotificationClientRequest) {
			c.note(func() { c.steps = append(c.steps, [2]float64{request.Params.Progress, request.Params.Total}) })
		},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			c.note(func() { c.changes = append(c.changes, "tools") })
		},
		PromptListChangedHandler: func(context.Context, *mcp.PromptListChangedRequest) {
			c.note(func() { c.changes = append(c.changes, "prompts") })
		},
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) {
			c.note(func() { c.changes = append(c.changes, "resources") })
		},
	}
	own := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, options)
	own.AddRoots(&mcp.Root{URI: "file:///home"})
	transport := &mcp.StreamableClientTransport{
		Endpoint:   url,
		HTTPClient: &http.Client{Transport: bearer{os.Getenv("TOKEN")}},
	}
	session, err := own.Connect(ctx, transport, nil)
	c.session = session
	return c, err
}

// codeOf is the code of a JSON-RPC error, which versions of the SDK keep in types of their own.
func codeOf(err error) any {
	for ; err != nil; err = errors.Unwrap(err) {
		value := reflect.ValueOf(err)
		if value.Kind() == reflect.Pointer {
			value = value.Elem()
		}
		if value.Kind() == reflect.Struct {
			if code := value.FieldByName("Code"); code.IsValid() && code.CanInt() {
				return code.Int()
			}
		}
	}
	return "none"
}

func failed(err error) map[string]any { return map[string]any{"error": codeOf(err)} }

func (c *client) call(ctx context.Context, name string, arguments any, token any) any {
	params := &mcp.CallToolParams{Name: name, Arguments: arguments}
	if token != nil {
		params.Meta = mcp.Meta{"progressToken": token}
	}
	result, err := c.session.CallTool(ctx, params)
	if err != nil {
		return failed(err)
	}
	texts := []string{}
	for _, content := range result.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return map[string]any{"texts": texts, "structured": result.StructuredContent, "isError": result.IsError}
}

func (c *client) patient(ctx context.Context, name string) any {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return c.call(limited, name, map[string]any{}, nil)
}

func (c *client) checks(ctx context.Context, seen map[string]any) error {
	none := map[string]any{}
	result := c.session.InitializeResult()
	if result.ServerInfo != nil {
		seen["server"] = result.ServerInfo.Name
	}
	capabilities := map[string]any{}
	written, err := json.Marshal(result.Capabilities)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(written, &capabilities); err != nil {
		return err
	}
	names := []string{}
	for name := range capabilities {
		names = append(names, name)
	}
	sort.Strings(names)
	seen["capabilities"] = names

	tools, err := c.session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	names = []string{}
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	sort.Strings(names)
	seen["tools"] = names
	seen["echo"] = c.call(ctx, "echo", map[string]any{"text": "Grüße, 世界"}, nil)
	seen["structured"] = c.call(ctx, "add", map[string]any{"a": 2, "b": 3}, nil)
	seen["tool error"] = c.call(ctx, "fail", none, nil)
	seen["no tool"] = c.call(ctx, "nothing", none, nil)

	resources, err := c.session.ListResources(ctx, nil)
	if err != nil {
		return err
	}
	uris := []string{}
	for _, resource := range resources.Resources {
		uris = append(uris, resource.URI)
	}
	seen["resources"] = uris
	templates, err := c.session.ListResourceTemplates(ctx, nil)
	if err != nil {
		return err
	}
	uris = []string{}
	for _, template := range templates.ResourceTemplates {
		uris = append(uris, template.URITemplate)
	}
	seen["templates"] = uris
	for _, uri := range []string{"test://text", "test://people/Ada", "test://none"} {
		seen["read "+uri] = c.read(ctx, uri)
	}
	prompts, err := c.session.ListPrompts(ctx, nil)
	if err != nil {
		return err
	}
	names = []string{}
	for _, prompt := range prompts.Prompts {
		names = append(names, prompt.Name)
	}
	seen["prompts"] = names
	prompt, err := c.session.GetPrompt(ctx, &mcp.GetPromptParams{
		Name: "greet", Arguments: map[string]string{"who": "Ada"},
	})
	if err != nil {
		return err
	}
	texts := []string{}
	for _, message := range prompt.Messages {
		if text, ok := message.Content.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	seen["prompt"] = texts

	c.call(ctx, "progress", none, "p1")
	time.Sleep(soon)
	c.lock.Lock()
	seen["progress"] = append([][2]float64{}, c.steps...)
	c.lock.Unlock()
	c.call(ctx, "log", none, nil)
	time.Sleep(soon)
	seen["log without a level"] = c.heardLogs()
	for _, name := range []string{"ask_person", "ask_model", "ask_roots"} {
		seen[name] = c.patient(ctx, name)
	}
	for _, what := range []string{"tools", "prompts", "resources"} {
		c.call(ctx, "change", map[string]any{"what": what}, nil)
	}
	time.Sleep(soon)
	seen["changes"] = c.heardChanges()
	c.call(ctx, "change_outside", none, nil)
	time.Sleep(soon)
	seen["changes outside of a call"] = c.heardChanges()
	seen["level"] = "set"
	if err := c.session.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: "warning"}); err != nil {
		seen["level"] = failed(err)
	}
	c.call(ctx, "log", none, nil)
	time.Sleep(soon)
	seen["log with a level"] = c.heardLogs()
	seen["cancelled"] = c.cancelled(ctx)
	seen["afterwards"] = c.call(ctx, "echo", map[string]any{"text": "still there"}, nil)
	return nil
}

func (c *client) read(ctx context.Context, uri string) any {
	result, err := c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return failed(err)
	}
	texts := []string{}
	for _, content := range result.Contents {
		texts = append(texts, content.Text)
	}
	return texts
}

func (c *client) cancelled(ctx context.Context) string {
	limited, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	_, err := c.session.CallTool(limited, &mcp.CallToolParams{Name: "wait", Arguments: map[string]any{"seconds": 2}})
	time.Sleep(2500 * time.Millisecond)
	if err == nil {
		return "answered"
	}
	return "given up"
}

func ending(err error) string {
	if err != nil {
		return "failed"
	}
	return "in order"
}

func run(ctx context.Context, url string) (map[string]any, error) {
	seen := map[string]any{}
	one, err := connected(ctx, url)
	if err != nil {
		return nil, err
	}
	if err := one.checks(ctx, seen); err != nil {
		return nil, err
	}
	seen["closed"] = ending(one.session.Close())
	other, err := connected(ctx, url)
	if err != nil {
		return nil, err
	}
	leaving, leave := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = other.session.CallTool(leaving, &mcp.CallToolParams{Name: "wait", Arguments: map[string]any{"seconds": 20}})
	}()
	time.Sleep(700 * time.Millisecond)
	leave()
	<-over
	seen["left early"] = ending(other.session.Close())
	return seen, nil
}

func main() {
	seen, err := run(context.Background(), os.Args[1])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(seen)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
