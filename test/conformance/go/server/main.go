// Command server is an MCP server by an SDK in Go, with what a client may meet: as ../python/server.py is. Arguments: its port, and `json`
// for answers without streams.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type nothing struct{}

type asked func(context.Context, *mcp.CallToolRequest) (string, error)

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "go", Version: "1"}, nil)
	add := func(name string, answer asked) {
		mcp.AddTool(server, &mcp.Tool{Name: name},
			func(ctx context.Context, request *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
				text, err := answer(ctx, request)
				if err != nil {
					return nil, nil, err
				}
				return saying(text), nil, nil
			})
	}
	mcp.AddTool(server, &mcp.Tool{Name: "echo"},
		func(_ context.Context, _ *mcp.CallToolRequest, in struct {
			Text string `json:"text"`
		}) (*mcp.CallToolResult, any, error) {
			return saying(in.Text), nil, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "add"},
		func(_ context.Context, _ *mcp.CallToolRequest, in struct {
			A int `json:"a"`
			B int `json:"b"`
		}) (*mcp.CallToolResult, map[string]int, error) {
			return nil, map[string]int{"sum": in.A + in.B}, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "wait"},
		func(ctx context.Context, _ *mcp.CallToolRequest, in struct {
			Seconds float64 `json:"seconds"`
		}) (*mcp.CallToolResult, any, error) {
			select {
			case <-time.After(time.Duration(in.Seconds * float64(time.Second))):
				return saying("waited"), nil, nil
			case <-ctx.Done():
				return nil, nil, ctx.Err()
			}
		})
	mcp.AddTool(server, &mcp.Tool{Name: "change"},
		func(_ context.Context, _ *mcp.CallToolRequest, in struct {
			What string `json:"what"`
		}) (*mcp.CallToolResult, any, error) {
			change(server, in.What)
			return saying("changed"), nil, nil
		})
	add("change_outside", func(context.Context, *mcp.CallToolRequest) (string, error) {
		time.AfterFunc(200*time.Millisecond, func() { change(server, "tools") })
		return "changed", nil
	})
	add("fail", func(context.Context, *mcp.CallToolRequest) (string, error) {
		return "", errors.New("it did not work")
	})
	add("progress", func(ctx context.Context, request *mcp.CallToolRequest) (string, error) {
		for step := 1; step <= 3; step++ {
			err := request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: request.Params.GetProgressToken(), Progress: float64(step), Total: 3,
			})
			if err != nil {
				return "", err
			}
		}
		return "done", nil
	})
	add("log", func(ctx context.Context, request *mcp.CallToolRequest) (string, error) {
		_ = request.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "debug", Data: "a detail"})
		_ = request.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "warning", Data: "a warning"})
		return "logged", nil
	})
	add("ask_person", askPerson)
	add("ask_model", askModel)
	add("ask_roots", func(ctx context.Context, request *mcp.CallToolRequest) (string, error) {
		answer, err := request.Session.ListRoots(ctx, nil)
		if err != nil {
			return "", err
		}
		uris := []string{}
		for _, root := range answer.Roots {
			uris = append(uris, root.URI)
		}
		return strings.Join(uris, ", "), nil
	})
	server.AddResource(&mcp.Resource{URI: "test://text", Name: "text"}, reading)
	server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://people/{name}", Name: "person"}, reading)
	addPrompt(server, "greet")
	return server
}

func saying(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func askPerson(ctx context.Context, request *mcp.CallToolRequest) (string, error) {
	answer, err := request.Session.Elicit(ctx, &mcp.ElicitParams{
		Message: "Which environment?",
		RequestedSchema: map[string]any{
			"type": "object", "properties": map[string]any{"environment": map[string]any{"type": "string"}},
		},
	})
	if err != nil {
		return "", err
	}
	return fmt.Sprint(answer.Action, " ", answer.Content["environment"]), nil
}

func askModel(ctx context.Context, request *mcp.CallToolRequest) (string, error) {
	question := &mcp.SamplingMessage{Role: "user", Content: &mcp.TextContent{Text: "The capital of France?"}}
	answer, err := request.Session.CreateMessage(ctx, &mcp.CreateMessageParams{
		MaxTokens: 20, Messages: []*mcp.SamplingMessage{question},
	})
	if err != nil {
		return "", err
	}
	if text, ok := answer.Content.(*mcp.TextContent); ok {
		return text.Text, nil
	}
	return "no text", nil
}

func reading(_ context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := request.Params.URI
	text := "a text"
	if name, ok := strings.CutPrefix(uri, "test://people/"); ok {
		text = "about " + name
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, Text: text}}}, nil
}

func addPrompt(server *mcp.Server, name string) {
	prompt := &mcp.Prompt{Name: name, Arguments: []*mcp.PromptArgument{{Name: "who", Required: true}}}
	server.AddPrompt(prompt, func(_ context.Context, request *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		text := &mcp.TextContent{Text: "Greet " + request.Params.Arguments["who"] + "."}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: text}}}, nil
	})
}

// change makes the SDK announce a changed list: a list has one more entry.
func change(server *mcp.Server, what string) {
	switch what {
	case "tools":
		server.AddTool(&mcp.Tool{Name: "more", InputSchema: map[string]any{"type": "object"}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return saying("more"), nil })
	case "prompts":
		addPrompt(server, "more")
	case "resources":
		server.AddResource(&mcp.Resource{URI: "test://more", Name: "more"}, reading)
	}
}

func main() {
	server := newServer()
	options := &mcp.StreamableHTTPOptions{JSONResponse: slices.Contains(os.Args[2:], "json")}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options)
	http.Handle("/mcp", handler)
	if err := http.ListenAndServe("127.0.0.1:"+os.Args[1], nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
