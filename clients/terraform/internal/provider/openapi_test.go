package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// described is what openapi.json says of a field, or of a body.
type described struct {
	Type        string               `json:"type"`
	Ref         string               `json:"$ref"`
	AllOf       []described          `json:"allOf"`
	Properties  map[string]described `json:"properties"`
	Required    []string             `json:"required"`
	Items       *described           `json:"items"`
	Additional  json.RawMessage      `json:"additionalProperties"`
	Enum        []*string            `json:"enum"`
	Pattern     string               `json:"pattern"`
	Description string               `json:"description"`
	MinLength   int64                `json:"minLength"`
	MaxLength   int64                `json:"maxLength"`
	Minimum     int64                `json:"minimum"`
	Maximum     int64                `json:"maximum"`
	MinItems    int64                `json:"minItems"`
	MaxItems    int64                `json:"maxItems"`
	MaxProperty int64                `json:"maxProperties"`
}

// bodies are what the API takes for each kind, and what it shows.
var bodies = map[string]struct{ taken, shown string }{
	"attribute":   {"AttributeBody", "AttributeView"},
	"guardrail":   {"GuardrailBody", "CheckedGuardrailView"},
	"access_rule": {"AccessRuleBody", "CheckedAccessRuleView"},
	"connection":  {"ConnectionBody", "CheckedConnectionView"},
	"webhook":     {"WebhookCreationBody", "WebhookView"},
}

// elsewhere are the fields of the API that a resource does not have under their name, each with the reason.
var elsewhere = map[string]string{
	"attribute.connection_names":  "set on the connections",
	"attribute.guardrail_names":   "set on the guardrails",
	"attribute.access_rule_names": "set on the access rules",
	"connection.secret":           "secret_wo: write-only",
	"webhook.secret":              "secret_wo: write-only",
	"webhook.url":                 "url_wo: write-only, for often it is all that is needed to post there",
	"*.created_at":                "says nothing to a plan",
	"*.updated_at":                "changes with every change, and says nothing to a plan",
	"*.warnings":                  "shown as warnings",
	"*.managed_by":                "the gateway says it when it refuses a change; the data source has it",
	"connection.org_id":           "there is one organization",
	"connection.status":           "changes by itself; the data source has it",
	"connection.status_at":        "changes by itself",
	"connection.mcp_auth":         "changes by itself",
	"guardrail.sidecar_spec":      "only in a control plane, which writes it",
	"guardrail.sidecar_targets":   "only in a control plane, which writes it",
	"webhook.disabled_reason":     "enabled shows that it was disabled; why is in the portal",
}

// ours are the fields of resources that the API does not have.
var ours = []string{"connection.secret_wo", "connection.secret_wo_version", "webhook.secret_wo", "webhook.secret_wo_version", "webhook.url_wo", "webhook.url_wo_version"}

func schemas(t *testing.T) map[string]described {
	t.Helper()
	text, err := os.ReadFile("../../../../openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var api struct {
		Components struct {
			Schemas map[string]described `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(text, &api); err != nil {
		t.Fatal(err)
	}
	return api.Components.Schemas
}

// A field of the API is a field of its resource with the same rules, or there is a reason; and the other way round.
func TestResourcesHaveTheFieldsOfTheAPI(t *testing.T) {
	all, used := schemas(t), map[string]bool{}
	for _, kind := range kinds {
		body, view := all[bodies[kind.name].taken], all[bodies[kind.name].shown]
		if len(body.Properties) == 0 || len(view.Properties) == 0 {
			t.Fatalf("openapi.json has no body or view for %s", kind.name)
		}
		for name := range view.Properties {
			if _, isTaken := body.Properties[name]; !isTaken {
				isThere(t, kind, name, used)
			}
		}
		for name, says := range body.Properties {
			if isThere(t, kind, name, used) {
				same(t, kind.name+"."+name, kind.fields[name], says, slices.Contains(body.Required, name), all)
			}
		}
		for name := range kind.fields {
			_, isTaken := body.Properties[name]
			_, isShown := view.Properties[name]
			if !isTaken && !isShown && !slices.Contains(ours, kind.name+"."+name) {
				t.Errorf("%s.%s is no field of the API", kind.name, name)
			}
		}
	}
	for name := range elsewhere {
		if !used[name] {
			t.Errorf("%s is not needed in the list of fields with a reason", name)
		}
	}
}

func isThere(t *testing.T, kind kind, name string, used map[string]bool) bool {
	t.Helper()
	if _, is := kind.fields[name]; is {
		return true
	}
	for _, key := range []string{kind.name + "." + name, "*." + name} {
		if elsewhere[key] != "" {
			used[key] = true
			return false
		}
	}
	t.Errorf("%s has no field %s: add it to %s.go, and write the pages (docs_test.go); or give the reason here", kind.name, name, kind.name)
	return false
}

var forms = map[form]string{
	text: "string", flag: "boolean", number: "integer", texts: "array", names: "array", objects: "array", object: "object", labels: "object",
}

// same checks that a field says what openapi.json says.
func same(t *testing.T, path string, is field, says described, required bool, all map[string]described) {
	t.Helper()
	says = resolved(says, all)
	expect := func(what string, is, want any) {
		t.Helper()
		if fmt.Sprint(is) != fmt.Sprint(want) {
			t.Errorf("%s: %s is %v, and openapi.json says %v", path, what, is, want)
		}
	}
	expect("form", forms[is.form], says.Type)
	expect("whether it is required", is.required, required)
	item := says
	if says.Items != nil {
		item = resolved(*says.Items, all)
	}
	switch is.form {
	case labels:
		if json.Unmarshal(says.Additional, &item) != nil {
			t.Errorf("%s: openapi.json has no such map", path)
		}
		expect("number of entries", is.most, says.MaxProperty)
		expect("longest value", is.max, item.MaxLength)
	case object, objects:
		for name, inner := range item.Properties {
			if _, has := is.fields[name]; has {
				same(t, path+"."+name, is.fields[name], inner, slices.Contains(item.Required, name) && is.fields[name].standard == nil, all)
			} else {
				t.Errorf("%s.%s is missing", path, name)
			}
		}
		for name := range is.fields {
			if _, has := item.Properties[name]; !has {
				t.Errorf("%s.%s is no field of the API", path, name)
			}
		}
		expect("number of items", is.most, says.MaxItems)
	case number:
		expect("least", is.min, says.Minimum)
		expect("most", is.max, says.Maximum)
	default:
		if is.ofKinds {
			expect("whether there are values", len(valuesOf(item)) > 0, true)
		} else {
			expect("values", is.oneOf, valuesOf(item))
		}
		expect("pattern", is.pattern, item.Pattern)
		// Values of an enumeration, and ids, need no length.
		if len(is.oneOf) == 0 && item.MaxLength > 0 {
			expect("shortest", is.min, item.MinLength)
			expect("longest", is.max, item.MaxLength)
		}
		expect("fewest items", is.least, says.MinItems)
		expect("most items", is.most, says.MaxItems)
	}
	if value, has := is.standard.(string); has && value != "" {
		expect("default", strings.Contains(says.Description, "Default: "+value+"."), true)
	}
	if value, has := is.standard.(bool); has {
		expect("default", strings.Contains(says.Description, fmt.Sprintf("Default: %t.", value)), true)
	}
}

func resolved(it described, all map[string]described) described {
	for _, part := range append(it.AllOf, it) {
		if part.Ref != "" {
			whole := all[part.Ref[strings.LastIndex(part.Ref, "/")+1:]]
			whole.Description = it.Description
			return whole
		}
	}
	return it
}

func valuesOf(it described) []string {
	var all []string
	for _, value := range it.Enum {
		if value != nil {
			all = append(all, *value)
		}
	}
	return all
}

// The data sources show what the API shows.
func TestDataSourcesHaveTheFieldsOfTheAPI(t *testing.T) {
	all := schemas(t)
	views := map[string]map[string]described{"connection": all["ConnectionView"].Properties, "catalog_entry": all["CatalogEntryView"].Properties}
	without := map[string]bool{"org_id": true, "secret": true, "status_at": true, "mcp_auth": true, "created_at": true, "updated_at": true}
	for _, lookup := range lookups {
		for _, name := range slices.Sorted(maps.Keys(views[lookup.name])) {
			if _, has := lookup.fields[name]; !has && !without[name] {
				t.Errorf("the data source %s has no field %s", lookup.name, name)
			}
		}
		for name := range lookup.fields {
			if _, has := views[lookup.name][name]; !has && name != "secret_names" {
				t.Errorf("%s.%s is no field of the API", lookup.name, name)
			}
		}
	}
}
