package acceptance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	gateway "github.com/access-gateway/access-gateway/clients/go"
)

const servers = `
resource "accessgateway_guardrail" "it" {
  name           = %[1]q
  connection_ids = [accessgateway_connection.docs.id]
}

resource "accessgateway_connection" "docs" {
  name          = %[1]q
  catalog       = "deepwiki"
  access_groups = ["*"]
  %[2]s
}

data "accessgateway_connection" "docs" {
  name = accessgateway_connection.docs.name
}

data "accessgateway_catalog_entry" "docs" {
  name = accessgateway_connection.docs.catalog
}

output "kind" {
  value = data.accessgateway_connection.docs.subtype
}
output "secret_names" {
  value = data.accessgateway_connection.docs.secret_names
}
output "transport" {
  value = data.accessgateway_catalog_entry.docs.transport
}
`

// A connection to a server of the catalog, with its policy, from both sides of its guardrails.
func TestMCPServer(t *testing.T) {
	w, client := begin(t), api(t)
	name := fresh(t, "m")
	w.write(servers, name, `mcp_policy = { tools = { denied = ["delete_*"] }, calls_per_minute = 10 }`)
	w.apply()
	w.same()
	is := got[gateway.ConnectionView](t)(client.GetConnection(t.Context(), name))
	equal(t, "limit", *is.MCPPolicy.CallsPerMinute, 10)
	equal(t, "denied tools", fmt.Sprint(is.MCPPolicy.Tools.Denied), "[delete_*]")
	equal(t, "number of guardrails", len(is.GuardrailRules), 1)
	var outputs map[string]struct{ Value any }
	check(t, json.Unmarshal([]byte(w.must("output", "-json")), &outputs))
	equal(t, "what the data sources show", fmt.Sprintf("%v %v %v", outputs["kind"].Value, outputs["secret_names"].Value, outputs["transport"].Value),
		"mcpproxy [MCP_AUTH MCP_TRANSPORT REMOTE_URL] streamable-http")

	// What a guardrail binds stays bound while the connection changes. Limits go back to none, and the policy to its default.
	w.write(servers, name, `mcp_policy = { new_tools = "hold" }`)
	w.apply()
	w.same()
	is = got[gateway.ConnectionView](t)(client.GetConnection(t.Context(), name))
	equal(t, "whether there is no limit", is.MCPPolicy.CallsPerMinute == nil, true)
	equal(t, "number of guardrails", len(is.GuardrailRules), 1)
	w.write(servers, name, "")
	w.differs(`new_tools = "hold" -> "allow"`)
	w.apply()
	w.same()

	// Somebody changes the policy: seen.
	_, err := client.PatchConnection(t.Context(), name, nil, gateway.ConnectionPatchBody{
		MCPPolicy: &gateway.MCPPolicyBody{Prompts: &gateway.NamePatternsBody{Denied: []string{"secret_*"}}},
	})
	check(t, err)
	w.differs("secret_*")

	// Imported by name and by id, without anything that is write-only.
	for _, by := range []string{name, is.ID} {
		other := another(t, w)
		other.write(servers+"\nimport {\n  to = accessgateway_connection.docs\n  id = %[3]q\n}\nimport {\n  to = accessgateway_guardrail.it\n  id = %[1]q\n}\n",
			name, `mcp_policy = { prompts = { denied = ["secret_*"] } }`, by)
		contains(t, other.apply(), "2 imported, 0 added, 0 changed, 0 destroyed")
		other.same()
	}
	// A name that changes is another connection.
	w.write(servers, name+"-2", "")
	w.differs("must be replaced")
	w.destroy()
}

// What the gateway would refuse of connections and webhooks is refused before.
func TestValidationOfTargets(t *testing.T) {
	w := begin(t)
	w.write(`
resource "accessgateway_connection" "a" {
  name       = "a-connection"
  type       = "database"
  subtype    = "mcpproxy"
  secret_wo  = { REMOTE_URL = "https://example.com", MCP_NEW_TOOLS = "hold" }
  attributes = [" pii"]
}
resource "accessgateway_connection" "b" {
  name           = "b-connection"
  retention_days = 0
  recording      = "off"
}
resource "accessgateway_webhook" "it" {
  events    = []
  secret_wo = "not a secret"
}
`)
	w.fails(checked,
		"secret_wo and secret_wo_version need each other", "must not begin or end with white space",
		"type is needed, unless there is catalog", "MCP_NEW_TOOLS is no secret: set it in mcp_policy", "value must be between 1 and 36500", `got: "off"`,
		"set must contain at least 1 elements",
	)
	w.write(`
resource "accessgateway_connection" "it" {
  name    = "a-connection"
  type    = "database"
  subtype = "postgres"
}
resource "accessgateway_connection" "b" {
  name              = "b-connection"
  type              = "database"
  subtype           = "mcpproxy"
  secret_wo         = { REMOTE_URL = "https://example.com" }
  secret_wo_version = 1
}
resource "accessgateway_connection" "c" {
  name              = "c-connection"
  type              = "database"
  subtype           = "sqlite"
  secret_wo         = { HOST = "example.com" }
  secret_wo_version = 1
}
resource "accessgateway_connection" "d" {
  name              = "d-connection"
  type              = "database"
  subtype           = "postgres"
  secret_wo         = { HOST = "example.com" }
  secret_wo_version = 1
  mcp_policy        = {}
}
resource "accessgateway_webhook" "it" {
  events = ["session.ended"]
}
`)
	w.fails(planned,
		"type database has no subtype mcpproxy", "the gateway has no subtype sqlite, only postgres, mcpproxy",
		"a connection of subtype postgres has no mcp_policy", "a new connection needs secret_wo, unless there is catalog", "a new webhook needs url_wo",
	)
}

// The examples of the documentation work.
func TestExamples(t *testing.T) {
	w := begin(t, "TF_VAR_orders_password=word", "TF_VAR_chat_address=https://hooks.example.com/x")
	examples, err := filepath.Glob("../../examples/*/*/*.tf")
	check(t, err)
	equal(t, "whether there are examples", len(examples) > 6, true)
	w.write(`
resource "accessgateway_connection" "billing" {
  name    = "billing"
  catalog = "deepwiki"
}
`)
	w.apply()
	for _, example := range examples {
		text, err := os.ReadFile(example)
		check(t, err)
		check(t, os.WriteFile(filepath.Join(w.folder, filepath.Base(filepath.Dir(example))+"_"+filepath.Base(example)), text, 0o600))
	}
	w.apply()
	w.same()
	w.must("fmt", "-check")
	w.destroy()
}
