package acceptance

import (
	"net/http"
	"testing"

	gateway "github.com/access-gateway/access-gateway/clients/go"
)

const policy = `
resource "accessgateway_attribute" "pii" {
  name        = %q
  description = "Data of people."
}

resource "accessgateway_guardrail" "drops" {
  name       = %q
  attributes = [accessgateway_attribute.pii.name]
  input = {
    rules = [
      { type = "deny_words_list", words = ["DROP TABLE", "TRUNCATE"], message = "Not here.", whole_word = true },
      { type = "pattern_match", pattern_regex = "(?i)pg_sleep\\s*\\(" },
      { type = "sql_statement", kinds = ["drop"], without_where = true, tables = [{ name = "public.salaries", access = "read" }] },
    ]
  }
  output = {
    rules = [{ type = "detector", detectors = ["email"], action = "mask", keep_last = 4 }]
  }
}

resource "accessgateway_access_rule" "jit" {
  name                = %q
  access_type         = "jit"
  access_max_duration = %s
  reviewers_groups    = ["dba", "security"]
  min_approvals       = 1
  attributes          = [accessgateway_attribute.pii.name]
}
`

// The whole life of a policy: made, changed, changed and deleted by others, deleted.
func TestLife(t *testing.T) {
	w, client := begin(t), api(t)
	attribute, guardrail, rule := fresh(t, "a"), fresh(t, "g"), fresh(t, "r")
	w.write(policy, attribute, guardrail, rule, "600")
	contains(t, w.apply(), "3 added, 0 changed, 0 destroyed")
	w.same()
	made := got[gateway.CheckedAccessRuleView](t)(client.GetAccessRequestRule(t.Context(), rule))
	equal(t, "longest access", *made.AccessMaxDuration, 600)
	stored := got[gateway.CheckedGuardrailView](t)(client.GetGuardRail(t.Context(), guardrailNamed(t, client, guardrail).ID))
	equal(t, "number of entries", len(stored.Input.Rules), 3)
	equal(t, "whether words are whole", *stored.Input.Rules[0].WholeWord, true)
	equal(t, "whether an absent flag is absent", stored.Input.Rules[0].CaseSensitive == nil, true)

	// Null is another value than 600, and what is absent from a configuration has its default. Names change in place.
	w.write(policy, attribute, guardrail+"-2", rule+"-2", "null")
	contains(t, w.apply(), "0 added, 2 changed, 0 destroyed")
	w.same()
	changed := got[gateway.CheckedAccessRuleView](t)(client.GetAccessRequestRule(t.Context(), rule+"-2"))
	equal(t, "whether the longest access is null", changed.AccessMaxDuration == nil, true)
	equal(t, "id", changed.ID, made.ID)

	// Others change it: seen, and undone.
	changeRule(t, client, changed, func(body *gateway.AccessRuleBody) {
		body.Name, body.ReasonRequired, body.MinApprovals = rule, gateway.Ptr(true), gateway.Ptr(int64(2))
	})
	w.differs("reason_required = true -> false", "min_approvals = 2 -> 1", "1 to change")
	// Others delete it: made anew.
	_, err := client.DeleteGuardRail(t.Context(), stored.ID, nil)
	check(t, err)
	contains(t, w.apply(), "1 added, 1 changed, 0 destroyed")
	w.same()

	contains(t, w.destroy(), "3 destroyed")
	_, err = client.GetAccessRequestRule(t.Context(), rule+"-2")
	equal(t, "whether the rule is gone", gateway.HasStatus(err, http.StatusNotFound), true)
	_, err = client.GetAttribute(t.Context(), attribute)
	equal(t, "whether the attribute is gone", gateway.HasStatus(err, http.StatusNotFound), true)
}

func guardrailNamed(t *testing.T, client *gateway.Client, name string) gateway.GuardrailView {
	t.Helper()
	for rule, err := range client.AllGuardRails(t.Context(), nil) {
		check(t, err)
		if rule.Name == name {
			return rule
		}
	}
	t.Fatalf("there is no guardrail %s", name)
	return gateway.GuardrailView{}
}

// changeRule changes a rule as somebody else would.
func changeRule(t *testing.T, client *gateway.Client, rule gateway.CheckedAccessRuleView, change func(*gateway.AccessRuleBody)) {
	t.Helper()
	body := gateway.AccessRuleBody{
		Name: rule.Name, AccessType: gateway.AccessRuleBodyAccessType(rule.AccessType), ReviewersGroups: rule.ReviewersGroups,
		MinApprovals: rule.MinApprovals, Attributes: rule.Attributes, ConnectionNames: rule.ConnectionNames,
	}
	change(&body)
	_, err := client.UpdateAccessRequestRule(t.Context(), rule.Name, nil, body)
	check(t, err)
}

// Import finds each by its id or name, and then there is nothing to do.
func TestImport(t *testing.T) {
	client := api(t)
	attribute, guardrail, rule := fresh(t, "a"), fresh(t, "g"), fresh(t, "r")
	maker := begin(t)
	maker.write(policy, attribute, guardrail, rule, "600")
	maker.apply()
	ids := [2]string{guardrailNamed(t, client, guardrail).ID, got[gateway.CheckedAccessRuleView](t)(client.GetAccessRequestRule(t.Context(), rule)).ID}
	const imports = `
import {
  to = accessgateway_attribute.pii
  id = %q
}
import {
  to = accessgateway_guardrail.drops
  id = %q
}
import {
  to = accessgateway_access_rule.jit
  id = %q
}
`
	for _, by := range [][2]string{{guardrail, rule}, ids} {
		w := another(t, maker)
		w.write(policy+imports, attribute, guardrail, rule, "600", attribute, by[0], by[1])
		contains(t, w.apply(), "3 imported, 0 added, 0 changed, 0 destroyed")
		w.same()
	}
	w := another(t, maker)
	w.write(policy, attribute, guardrail, rule, "600")
	w.fails([]string{"import", "-no-color", "accessgateway_guardrail.drops", "no-such-rule"}, `no guardrail with the id or name "no-such-rule"`)
	maker.destroy()
}
