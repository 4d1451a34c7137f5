package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	gateway "github.com/access-gateway/access-gateway/clients/go"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// kind is a kind of resource: its fields, and how the API is asked about one of them.
type kind struct {
	// name follows that of the provider in the type of the resource.
	name string
	// label is what messages call one of them.
	label string
	about string
	// importedBy says by what `terraform import` finds one.
	importedBy string
	fields     fields
	// check finds faults in a configuration that the gateway would refuse, as far as its values are known. nil: none.
	check func(config document, fault func(at path.Path, sentence string))
	// checkNew finds faults in what is about to be made. nil: none.
	checkNew func(config document, fault func(at path.Path, sentence string))
	// plan completes and checks what is planned with what the gateway has. nil: there is nothing to do.
	plan func(ctx context.Context, known *knownGateway, config document, plan *planned)
	// find returns the one with this id or name; nil if there is none.
	find func(ctx context.Context, client *gateway.Client, idOrName string) (*found, error)
	// read returns the one that the state is about; nil if it is gone.
	read func(ctx context.Context, client *gateway.Client, state document) (*found, error)
	// create makes it.
	create func(ctx context.Context, client *gateway.Client, want document) (*found, error)
	// update changes it, if it still is as it was found.
	update func(ctx context.Context, client *gateway.Client, was *found, state, want document) (*found, error)
	// remove deletes it, if it still is as it was found.
	remove func(ctx context.Context, client *gateway.Client, was *found) error
}

var kinds = []kind{attribute, guardrail, accessRule, connection, webhook}

// found is a resource as the gateway has it.
type found struct {
	// fields are what the API shows of it.
	fields document
	// tag is its version, for If-Match.
	tag string
	// warnings are what its author should know.
	warnings []string
}

// id is by which the API finds it, which no change alters.
func (f *found) id() string { return f.fields.text("id") }

func (f *found) name() string { return f.fields.text("name") }

// answered is what an answer of the API found. Nothing is found where that is the answer.
func answered[V any](answer *gateway.Answer[V], err error) (*found, error) {
	if gateway.HasStatus(err, http.StatusNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return foundIn(answer.Body, answer.ETag)
}

func foundIn(view any, tag string) (*found, error) {
	text, err := json.Marshal(view)
	if err != nil {
		return nil, err
	}
	is := &found{tag: tag}
	if err := json.Unmarshal(text, &is.fields); err != nil {
		return nil, err
	}
	warnings, _ := is.fields["warnings"].([]any)
	for _, warning := range warnings {
		is.warnings = append(is.warnings, fmt.Sprint(warning))
	}
	return is, nil
}

// written is an answer to a change: what is not there cannot be changed.
func written[V any](answer *gateway.Answer[V], err error) (*found, error) {
	if err != nil {
		return nil, err
	}
	return foundIn(answer.Body, answer.ETag)
}

// made sends the document as the body of a new resource.
func made[B, V any](ctx context.Context, want document, call func(context.Context, B) (*gateway.Answer[V], error)) (*found, error) {
	sent, err := body[B](want)
	if err != nil {
		return nil, err
	}
	return written(patiently(ctx, func() (*gateway.Answer[V], error) { return call(ctx, sent) }))
}

// replaced sends the document as what becomes of a resource.
func replaced[B, P, V any](
	ctx context.Context, key string, params *P, want document, call func(context.Context, string, *P, B) (*gateway.Answer[V], error),
) (*found, error) {
	sent, err := body[B](want)
	if err != nil {
		return nil, err
	}
	return written(call(ctx, key, params, sent))
}

const (
	attempts    = 4
	longestWait = time.Minute
)

// patiently repeats a request that is no idempotent one, which the client therefore sends once. 429 is safe: the gateway
// did not begin with it.
func patiently[V any](ctx context.Context, request func() (*gateway.Answer[V], error)) (*gateway.Answer[V], error) {
	for attempt := 1; ; attempt++ {
		answer, err := request()
		var refused *gateway.Error
		if attempt == attempts || !errors.As(err, &refused) || refused.Status != http.StatusTooManyRequests || refused.RetryAfter > longestWait {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return answer, err
		case <-time.After(max(refused.RetryAfter, time.Duration(attempt)*time.Second)):
		}
	}
}
