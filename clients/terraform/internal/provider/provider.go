// Package provider is a Terraform provider of the Access Gateway. Each kind of resource is a table of fields and a few
// calls of the Go client (kind.go); what all have in common is in resource.go.
package provider

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"strings"

	gateway "github.com/access-gateway/access-gateway/clients/go"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Version of this provider, and of the API description that it was made from.
const Version = gateway.Version

// Name is with what the names of all resources begin.
const Name = "accessgateway"

const (
	addressVariable   = "GATEWAY_URL"
	tokenVariable     = "GATEWAY_TOKEN"
	allowHTTPVariable = "GATEWAY_ALLOW_HTTP"
)

// defaultPrefix is the gateway's API_PREFIX, unless an operator sets another one.
const defaultPrefix = "/api"

type accessGateway struct{}

// New makes the provider.
func New() provider.Provider { return &accessGateway{} }

type configuration struct {
	Address types.String `tfsdk:"address"`
	Token   types.String `tfsdk:"token"`
}

func (*accessGateway) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName, response.Version = Name, Version
}

func (*accessGateway) Schema(_ context.Context, _ provider.SchemaRequest, response *provider.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "Connections, guardrails, access request rules, attributes and webhooks of an Access Gateway.",
		Attributes: map[string]schema.Attribute{
			"address": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Address of the gateway, such as `https://gateway.example.com`; with its `API_PREFIX`, unless that is `/api`. " +
					"Default: the variable `" + addressVariable + "`. By `http`, only a gateway at this computer is reached, unless the variable `" + allowHTTPVariable + "` is `1`.",
			},
			"token": schema.StringAttribute{
				Optional: true, Sensitive: true,
				MarkdownDescription: "API key (`gwk_…`) whose groups include the admin group, or an access token. Default: the variable `" + tokenVariable + "`.",
			},
		},
	}
}

func (*accessGateway) Configure(ctx context.Context, request provider.ConfigureRequest, response *provider.ConfigureResponse) {
	var given configuration
	response.Diagnostics.Append(request.Config.Get(ctx, &given)...)
	setting := func(name, variable string, value types.String) string {
		switch {
		case value.IsUnknown():
			response.Diagnostics.AddAttributeError(path.Root(name), "The "+name+" of the gateway is not known yet",
				"It comes from something that is made by the same apply. Apply that first, with -target, or set "+variable+".")
		case !value.IsNull():
			return value.ValueString()
		case os.Getenv(variable) == "":
			response.Diagnostics.AddAttributeError(path.Root(name), "The "+name+" of the gateway is missing",
				"Set "+name+" in the provider block, or the environment variable "+variable+".")
		}
		return os.Getenv(variable)
	}
	address := setting("address", addressVariable, given.Address)
	token := setting("token", tokenVariable, given.Token)
	if response.Diagnostics.HasError() {
		return
	}
	base, err := apiAddress(address)
	if err != nil {
		response.Diagnostics.AddAttributeError(path.Root("address"), "The address of the gateway cannot be used", err.Error())
		return
	}
	client, err := gateway.New(base, gateway.WithAPIKey(strings.TrimSpace(token)))
	if err != nil {
		response.Diagnostics.AddAttributeError(path.Root("address"), "The address of the gateway cannot be used", err.Error())
		return
	}
	response.ResourceData, response.DataSourceData = &knownGateway{client: client}, client
}

// apiAddress is where the API is. A token is not sent to another computer in plain text.
func apiAddress(given string) (string, error) {
	address, err := url.Parse(strings.TrimRight(given, "/"))
	if err != nil {
		return "", errors.New("it is no URL")
	}
	if address.Scheme == "http" && !isLoopback(address.Hostname()) && os.Getenv(allowHTTPVariable) != "1" {
		return "", fmt.Errorf("a gateway at another computer is reached by https; %s=1 sends tokens without it", allowHTTPVariable)
	}
	if address.Path == "" {
		address.Path = defaultPrefix
	}
	return address.String(), nil
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && address.IsLoopback())
}

func (*accessGateway) Resources(context.Context) []func() resource.Resource {
	var all []func() resource.Resource
	for _, each := range kinds {
		all = append(all, func() resource.Resource { return &managed{kind: each} })
	}
	return all
}

func (*accessGateway) DataSources(context.Context) []func() datasource.DataSource {
	var all []func() datasource.DataSource
	for _, each := range lookups {
		all = append(all, func() datasource.DataSource { return &looked{lookup: each} })
	}
	return all
}
