package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Version of this client, and of the API description that it was made from.
const Version = "0.1.0"

// TokenSource gives the bearer token of a request: an access token of the identity provider, or an API key. It is
// asked before each attempt, by several goroutines at once, and keeps the token as long as it is good. After a 401 it
// is asked once more, with the token that was refused: another one is tried once, for the request was not carried out.
type TokenSource func(ctx context.Context, refused string) (string, error)

// Client calls the API. It may be used by several goroutines at once.
type Client struct {
	base    string
	http    *http.Client
	tokens  TokenSource
	retries Retries
}

// Option changes how a client works.
type Option func(*Client)

// WithAPIKey signs in as a machine.
func WithAPIKey(key string) Option {
	return WithTokenSource(func(context.Context, string) (string, error) { return key, nil })
}

// WithTokenSource signs in with the token that the source gives.
func WithTokenSource(source TokenSource) Option {
	return func(c *Client) { c.tokens = source }
}

// WithHTTPClient sends requests through this client: for proxies, certificates and time limits. It must not follow
// redirects with credentials; http.Client does not, to other hosts.
func WithHTTPClient(client *http.Client) Option {
	return func(c *Client) { c.http = client }
}

// WithRetries says when a request is tried again. The default is [DefaultRetries].
func WithRetries(retries Retries) Option {
	return func(c *Client) { c.retries = retries }
}

// New makes a client of the API at that address, such as https://gateway.example.com/api. Without a credential it
// reaches the public routes only.
func New(address string, options ...Option) (*Client, error) {
	base, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("the address of the API is no URL: %w", err)
	}
	if base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") {
		return nil, errors.New("the address of the API must begin with https:// or http://")
	}
	if base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("the address of the API must not have a user, a query or a fragment")
	}
	client := &Client{
		base:    strings.TrimRight(base.String(), "/"),
		http:    &http.Client{CheckRedirect: stay},
		retries: DefaultRetries,
	}
	for _, option := range options {
		option(client)
	}
	return client, nil
}

// The API redirects browsers only: no other request is led away with its credential.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
