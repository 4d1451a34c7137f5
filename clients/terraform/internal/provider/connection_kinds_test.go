package provider

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	gateway "github.com/access-gateway/access-gateway/clients/go"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A gateway of another version may have kinds that this provider has never heard of.
const otherKinds = `{"data": [
	{"type": "server", "subtype": "shell", "has_mcp_policy": false},
	{"type": "application", "subtype": "echo", "has_mcp_policy": true}
]}`

func TestConnectionsHaveTheKindsOfTheirGateway(t *testing.T) {
	for name, is := range map[string]struct {
		config document
		// policy that is planned: "default", "none", or "open" where it is left as it was.
		policy string
		// fault is what the plan says; empty: nothing.
		fault string
	}{
		"a kind with policies":          {document{"type": "application", "subtype": "echo"}, "default", ""},
		"a kind without policies":       {document{"type": "server", "subtype": "shell"}, "none", ""},
		"from the catalog":              {document{"catalog": "deepwiki"}, "default", ""},
		"a kind that is not known yet":  {document{"type": "server", "subtype": unknown{}}, "open", ""},
		"an entry that is not known":    {document{"catalog": unknown{}}, "open", ""},
		"a policy of its own":           {document{"type": "application", "subtype": "echo", "mcp_policy": map[string]any{}}, "open", ""},
		"a policy that is not known":    {document{"type": "server", "subtype": "shell", "mcp_policy": unknown{}}, "open", ""},
		"a policy where there are none": {document{"type": "server", "subtype": "shell", "mcp_policy": map[string]any{}}, "open", "a connection of subtype shell has no mcp_policy"},
		"a type of another kind":        {document{"type": "database", "subtype": "echo"}, "default", "type database has no subtype echo"},
		"a kind that it does not have":  {document{"type": "database", "subtype": "postgres"}, "open", "the gateway has no subtype postgres, only shell, echo"},
	} {
		t.Run(name, func(t *testing.T) {
			policy, faults := plannedWith(t, http.StatusOK, otherKinds, is.config)
			if said := sentences(faults); said != is.fault {
				t.Errorf("the plan says %q, not %q", said, is.fault)
			}
			if policy != is.policy {
				t.Errorf("the plan has the policy %q, not %q", policy, is.policy)
			}
		})
	}
}

func TestAGatewayThatDoesNotSayItsKinds(t *testing.T) {
	_, faults := plannedWith(t, http.StatusForbidden, `{"message": "not for you"}`, document{"subtype": "echo"})
	if said := sentences(faults); !strings.Contains(said, "403: not for you") {
		t.Errorf("the plan says %q", said)
	}
}

func TestTheKindsAreAskedForOnce(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		response.Header().Set("Content-Type", "application/json")
		if asked.Add(1) == 1 {
			response.WriteHeader(http.StatusForbidden)
		}
		_, _ = response.Write([]byte(otherKinds))
	}))
	defer server.Close()
	client, err := gateway.New(server.URL + "/api")
	if err != nil {
		t.Fatal(err)
	}
	known := &knownGateway{client: client}
	if _, err := known.connectionKinds(t.Context()); err == nil {
		t.Error("a refusal is no answer")
	}
	for range 3 {
		if kinds, err := known.connectionKinds(t.Context()); err != nil || len(kinds) != 2 {
			t.Errorf("there are %d kinds: %v", len(kinds), err)
		}
	}
	if asked.Load() != 2 {
		t.Errorf("the gateway was asked %d times, not once after the refusal", asked.Load()-1)
	}
}

// plannedWith plans a connection at a gateway with such an answer. Returns its policy and what the plan says.
func plannedWith(t *testing.T, status int, answer string, config document) (string, diag.Diagnostics) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		if request.URL.Path != "/api/connection-kinds" {
			t.Errorf("the provider asks for %s", request.URL.Path)
		}
		response.Header().Set("Content-Type", "application/json")
		response.WriteHeader(status)
		_, _ = response.Write([]byte(answer))
	}))
	defer server.Close()
	client, err := gateway.New(server.URL + "/api")
	if err != nil {
		t.Fatal(err)
	}
	var of resource.SchemaResponse
	(&managed{kind: connection}).Schema(t.Context(), resource.SchemaRequest{}, &of)
	plan := &tfsdk.Plan{Schema: of.Schema, Raw: tftypes.NewValue(of.Schema.Type().TerraformType(t.Context()), tftypes.UnknownValue)}
	var faults diag.Diagnostics
	before := types.ObjectUnknown(mcpPolicy.empty().AttributeTypes(t.Context()))
	faults.Append(plan.SetAttribute(t.Context(), path.Root("mcp_policy"), before)...)
	planConnection(t.Context(), &knownGateway{client: client}, config, &planned{label: "connection", plan: plan, diagnostics: &faults})
	var policy types.Object
	faults.Append(plan.GetAttribute(t.Context(), path.Root("mcp_policy"), &policy)...)
	switch {
	case policy.IsUnknown():
		return "open", faults
	case policy.IsNull():
		return "none", faults
	case policy.Equal(mcpPolicy.empty()):
		return "default", faults
	default:
		return policy.String(), faults
	}
}

func sentences(of diag.Diagnostics) string {
	var all []string
	for _, one := range of {
		all = append(all, one.Detail())
	}
	return strings.Join(all, "; ")
}
