package provider

import (
	"context"
	"slices"
	"strings"
	"sync"

	gateway "github.com/access-gateway/access-gateway/clients/go"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// knownGateway is the gateway of a provider, with the kinds of connections that it has. They are asked for once: a plan
// needs them for each of its connections.
type knownGateway struct {
	client *gateway.Client
	mutex  sync.Mutex
	kinds  []gateway.ConnectionKindView
}

// connectionKinds are the kinds of connections that the gateway has. After an error, the next call asks anew.
func (known *knownGateway) connectionKinds(ctx context.Context) ([]gateway.ConnectionKindView, error) {
	known.mutex.Lock()
	defer known.mutex.Unlock()
	if known.kinds != nil {
		return known.kinds, nil
	}
	answer, err := known.client.ListConnectionKinds(ctx)
	if err != nil {
		return nil, err
	}
	known.kinds = answer.Body.Data
	return known.kinds, nil
}

// planConnection compares a connection with the kinds that the gateway has, and plans the policy that the gateway
// gives to a connection without one: everything is allowed where the kind has policies.
func planConnection(ctx context.Context, known *knownGateway, config document, plan *planned) {
	kinds, err := known.connectionKinds(ctx)
	if err != nil {
		plan.diagnostics.AddError("The gateway did not say which kinds of connections it has", explained(err))
		return
	}
	of, subtype := config.text("type"), config.text("subtype")
	at := slices.IndexFunc(kinds, func(kind gateway.ConnectionKindView) bool { return string(kind.Subtype) == subtype })
	switch {
	case subtype != "" && at < 0:
		plan.fault(path.Root("subtype"), "the gateway has no subtype "+subtype+", only "+subtypesOf(kinds))
		return
	case at >= 0 && of != "" && of != string(kinds[at].Type):
		plan.fault(path.Root("subtype"), "type "+of+" has no subtype "+subtype)
	case at >= 0 && !kinds[at].HasMCPPolicy && config["mcp_policy"] != nil && !config.isUnknown("mcp_policy"):
		plan.fault(path.Root("mcp_policy"), "a connection of subtype "+subtype+" has no mcp_policy")
	}
	// Entries of the catalog are MCP servers.
	isFromCatalog := config["subtype"] == nil && config["catalog"] != nil && !config.isUnknown("catalog")
	switch {
	case config["mcp_policy"] != nil:
	case isFromCatalog || (at >= 0 && kinds[at].HasMCPPolicy):
		plan.fill(ctx, "mcp_policy", mcpPolicy.empty())
	case at >= 0:
		plan.fill(ctx, "mcp_policy", mcpPolicy.null())
	}
}

func subtypesOf(kinds []gateway.ConnectionKindView) string {
	var all []string
	for _, kind := range kinds {
		all = append(all, string(kind.Subtype))
	}
	return strings.Join(all, ", ")
}
