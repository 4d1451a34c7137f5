package provider

import (
	"context"
	"regexp"

	gateway "github.com/access-gateway/access-gateway/clients/go"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

func switchField(about string) field {
	return field{form: text, about: about, standard: "enabled", oneOf: []string{"enabled", "disabled"}}
}

var connection = kind{
	name:  "connection",
	label: "connection",
	about: "A connection: a target, a database or an MCP server, that people reach through the gateway. " +
		"Its secret is write-only: it is in no plan and no state, and is sent when the connection is made and when `secret_wo_version` changes.",
	importedBy: "name or id",
	fields: fields{
		"id":   identity,
		"name": {form: text, about: "Unique name, by which people open the connection.", required: true, fixed: true, min: 3, max: 254, pattern: namePattern},
		"type": {
			form: text, about: "Type of the target, such as `database` or `application`. Needed, unless there is `catalog`.",
			open: true, fixed: true, steady: true, ofKinds: true,
		},
		"subtype": {
			form: text, about: "Kind of the target, such as `postgres` (a database) or `mcpproxy` (an application): one that the gateway has (`GET /connection-kinds`). Needed, unless there is `catalog`.",
			open: true, fixed: true, steady: true, ofKinds: true,
		},
		"catalog": {
			form: text, about: "Name of the entry of the catalog of MCP servers that the connection is made from: it gives kind, address, transport and authentication, where the rest says nothing.",
			open: true, fixed: true, steady: true, min: 1, max: 256,
		},
		"description": description,
		"secret_wo": {
			form: labels, writeOnly: true,
			about: "How to reach the target, by the names of the API (`HOST`, `PORT`, `USER`, `PASS`, `DB` …; `REMOTE_URL` …). Needed to make the connection, unless there is `catalog`. Sent as a whole: names that it lacks are gone.",
		},
		"secret_wo_version": {form: number, ours: true, about: "Number of your own for `secret_wo`. Another one sends it anew."},
		"connection_tags":   {form: labels, about: "Labels of the connection.", isName: true, standard: none{}, max: 256, key: 64, most: 10},
		"attributes":        groupsField("Attributes: labels that join connections to rules."),
		"guardrail_rules": {
			form: names, open: true, otherSide: true, most: 1000,
			about: "Ids of guardrails of the connection. Null: they are left as they are, for `connection_ids` of guardrails sets the same. Set it on one side.",
		},
		"access_groups":           groupsField("Groups that may open the connection. None: admins only. `*`: everybody who is signed in."),
		"emergency_access_groups": groupsField("Groups whose members may open the connection in an emergency without waiting for its reviewers. `*`: everybody who is signed in."),
		"access_mode_connect":     switchField("Whether clients of the target’s own protocol may connect: `enabled` or `disabled`."),
		"access_mode_exec":        switchField("Whether scripts may be run."),
		"access_mode_runbooks":    switchField("Whether runbooks may be run."),
		"access_schema":           switchField("Whether the schema may be browsed."),
		"resource_name":           {form: text, about: "Name of the resource behind the connection.", isName: true, standard: "", max: 256},
		"recording":               {form: text, about: "`on`, or `input-only`: output is screened and delivered, but not recorded.", standard: "on", oneOf: []string{"on", "input-only"}},
		"recording_mode": {
			form: text, about: "When an event counts as recorded: `journal`, `journal+fsync` or `store`. Null: the setting of the gateway.",
			oneOf: []string{"journal", "journal+fsync", "store"},
		},
		"retention_days": {form: number, about: "Days for which sessions are kept after their end. Null: forever.", min: 1, max: 36500},
		"record_results": {form: flag, about: "Whether result rows for clients of the target’s own protocol are recorded even if no guardrail looks at them.", standard: false},
		"mcp_policy":     mcpPolicy,
	},
	check:    connectionFaults,
	checkNew: newConnectionFaults,
	plan:     planConnection,
	find: func(ctx context.Context, client *gateway.Client, nameOrID string) (*found, error) {
		return answered(client.GetConnection(ctx, nameOrID))
	},
	read: func(ctx context.Context, client *gateway.Client, state document) (*found, error) {
		return answered(client.GetConnection(ctx, state.text("id")))
	},
	create: func(ctx context.Context, client *gateway.Client, want document) (*found, error) {
		want["secret"] = want["secret_wo"]
		return made(ctx, want, client.CreateConnection)
	},
	update: func(ctx context.Context, client *gateway.Client, was *found, state, want document) (*found, error) {
		// An empty value keeps what is stored.
		want["secret"] = was.fields["secret"]
		if state["secret_wo_version"] != want["secret_wo_version"] && want["secret_wo"] != nil {
			want["secret"] = want["secret_wo"]
		}
		if want.isUnknown("guardrail_rules") {
			want["guardrail_rules"] = was.fields["guardrail_rules"]
		}
		// With it, what the secret lacks would come from the catalog anew.
		delete(want, "catalog")
		return replaced(ctx, was.id(), &gateway.UpdateConnectionParams{IfMatch: &was.tag}, want, client.UpdateConnection)
	},
	remove: func(ctx context.Context, client *gateway.Client, was *found) error {
		_, err := client.DeleteConnection(ctx, was.id(), &gateway.DeleteConnectionParams{IfMatch: &was.tag})
		return err
	},
}

func connectionFaults(connection document, fault func(path.Path, string)) {
	isFromCatalog := connection["catalog"] != nil
	for _, name := range []string{"type", "subtype"} {
		if connection[name] == nil && !isFromCatalog {
			fault(path.Root(name), name+" is needed, unless there is catalog")
		}
	}
	secret, _ := connection["secret_wo"].(map[string]any)
	for name := range secret {
		if inPolicy.MatchString(name) {
			fault(path.Root("secret_wo"), name+" is no secret: set it in mcp_policy, to which the gateway would move it")
		}
	}
	versionFaults(connection, "secret_wo", fault)
}

// inPolicy are the names of a secret that the gateway takes for mcp_policy (contract, TOOL-2).
var inPolicy = regexp.MustCompile(`^(envvar:)?MCP_((ALLOWED|DENIED)_(TOOLS|RESOURCES|PROMPTS)|APPROVAL_TOOLS|NEW_TOOLS|SERVER_REQUESTS|CALLS_PER_MINUTE|RESULT_BYTES|STREAMS)$`)

func newConnectionFaults(connection document, fault func(path.Path, string)) {
	if connection["secret_wo"] == nil && connection["catalog"] == nil {
		fault(path.Root("secret_wo"), "a new connection needs secret_wo, unless there is catalog")
	}
}

// versionFaults: without a version, a write-only argument would never be sent again.
func versionFaults(config document, argument string, fault func(path.Path, string)) {
	version := argument + "_version"
	if (config[argument] == nil) != (config[version] == nil) {
		fault(path.Root(argument), argument+" and "+version+" need each other: another version sends the value anew")
	}
}
