package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// Answer is what the gateway answered.
type Answer[T any] struct {
	// Body is empty where the answer has none (204).
	Body T
	// Status tells apart what one operation may answer, such as 200 and 202.
	Status int
	// ETag is the version of the resource, for IfMatch; empty if it has none.
	ETag string
	// RequestID finds the request in the gateway's log.
	RequestID string
	Header    http.Header
}

// request is one call while it is put together.
type request struct {
	method  string
	address string
	values  url.Values
	headers http.Header
	// body is written as JSON; nil: the request has none.
	body any
}

func newRequest(method, path string) *request {
	return &request{method: method, address: path, values: url.Values{}, headers: http.Header{}}
}

func (r *request) path(name, value string) {
	r.address = strings.Replace(r.address, "{"+name+"}", url.PathEscape(value), 1)
}

// query adds the parameter, unless it is nil. Lists repeat it.
func (r *request) query(name string, value any) {
	for _, text := range texts(reflect.ValueOf(value)) {
		r.values.Add(name, text)
	}
}

func (r *request) header(name string, value any) {
	for _, text := range texts(reflect.ValueOf(value)) {
		r.headers.Set(name, text)
	}
}

func texts(value reflect.Value) []string {
	switch value.Kind() {
	case reflect.Pointer:
		if value.IsNil() {
			return nil
		}
		return texts(value.Elem())
	case reflect.Slice:
		var all []string
		for i := range value.Len() {
			all = append(all, texts(value.Index(i))...)
		}
		return all
	default:
		if moment, ok := value.Interface().(time.Time); ok {
			return []string{moment.UTC().Format(time.RFC3339Nano)}
		}
		return []string{fmt.Sprint(value.Interface())}
	}
}

// call sends the request and reads its JSON answer.
func call[T any](ctx context.Context, c *Client, r *request) (*Answer[T], error) {
	response, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer := &Answer[T]{
		Status:    response.StatusCode,
		ETag:      response.Header.Get("ETag"),
		RequestID: response.Header.Get("X-Request-Id"),
		Header:    response.Header,
	}
	bytes, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("the answer of %s %s was cut: %w", r.method, r.address, err)
	}
	if len(bytes) == 0 {
		return answer, nil
	}
	if err := json.Unmarshal(bytes, &answer.Body); err != nil {
		return nil, fmt.Errorf("the answer of %s %s is not what the API describes: %w", r.method, r.address, err)
	}
	return answer, nil
}

// send sends the request, again where that is safe, and returns a successful answer. The caller closes its body.
func (c *Client) send(ctx context.Context, r *request) (*http.Response, error) {
	var body []byte
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return nil, fmt.Errorf("the body of %s %s cannot be written as JSON: %w", r.method, r.address, err)
		}
		if replacesBytes(body) {
			return nil, fmt.Errorf("the body of %s %s has text that is not UTF-8", r.method, r.address)
		}
	}
	for attempt := 1; ; attempt++ {
		response, err := c.signedIn(ctx, r, body)
		if err == nil && response.StatusCode < 300 {
			return response, nil
		}
		if err == nil {
			err = errorOf(response)
		}
		wait, again := c.retries.after(attempt, r.method, err)
		if !again || sleep(ctx, wait) != nil {
			return nil, err
		}
	}
}

// replacesBytes reports whether json.Marshal replaced bytes that are not UTF-8: it writes them as an escape, and U+FFFD itself as it is.
func replacesBytes(body []byte) bool {
	const escape = `\ufffd`
	for at := 0; ; {
		found := bytes.Index(body[at:], []byte(escape))
		if found < 0 {
			return false
		}
		at += found
		before := len(body[:at]) - len(bytes.TrimRight(body[:at], `\`))
		if before%2 == 0 {
			return true
		}
		at += len(escape)
	}
}

// signedIn sends the request with a token, and with another one if the gateway refuses the first.
func (c *Client) signedIn(ctx context.Context, r *request, body []byte) (*http.Response, error) {
	if c.tokens == nil {
		return c.try(ctx, r, body, "")
	}
	token, err := c.tokens(ctx, "")
	if err != nil {
		return nil, &faultyRequest{fmt.Errorf("no token: %w", err)}
	}
	response, err := c.try(ctx, r, body, token)
	if err != nil || response.StatusCode != http.StatusUnauthorized {
		return response, err
	}
	other, err := c.tokens(ctx, token)
	if err != nil || other == token {
		return response, nil
	}
	response.Body.Close()
	return c.try(ctx, r, body, other)
}

func (c *Client) try(ctx context.Context, r *request, body []byte, token string) (*http.Response, error) {
	address := c.base + r.address
	if len(r.values) > 0 {
		address += "?" + r.values.Encode()
	}
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	request, err := http.NewRequestWithContext(ctx, r.method, address, reader)
	if err != nil {
		return nil, &faultyRequest{err}
	}
	request.Header = r.headers.Clone()
	request.Header.Set("User-Agent", "access-gateway-go/"+Version)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return c.http.Do(request)
}

// faultyRequest was not sent, and would not be the next time.
type faultyRequest struct{ error }

func (f *faultyRequest) Unwrap() error { return f.error }
