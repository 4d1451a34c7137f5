package provider

import (
	"context"
	"encoding/json"

	gateway "github.com/access-gateway/access-gateway/clients/go"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

var accessRule = kind{
	name:       "access_rule",
	label:      "access request rule",
	about:      "An access request rule: whose approval access to the connections that it covers needs.",
	importedBy: "name or id",
	fields: fields{
		"id":                  identity,
		"name":                {form: text, about: "Unique name. It may change.", required: true, min: 3, max: 254, pattern: namePattern},
		"description":         description,
		"access_type":         {form: text, about: "`jit`: access for a while; `command`: each script; `jit_command`: both.", required: true, oneOf: []string{"jit", "command", "jit_command"}},
		"access_max_duration": {form: number, about: "Longest access, in seconds. Null: two days.", min: 60, max: 172800},
		"all_groups_must_approve": {
			form: flag, about: "Whether each group whose approval is required must approve.", standard: false,
		},
		"approval_required_groups": groupsField("Groups whose approval is required."),
		"reviewers_groups":         groupsField("Groups that may review; at least one."),
		"force_approval_groups":    groupsField("Groups that may force an approval."),
		"skip_review_groups":       groupsField("Groups that need no review; only while `approval_required_groups` is empty."),
		"min_approvals":            {form: number, about: "Number of people who must approve; at least 1, unless all groups must."},
		"reason_required":          {form: flag, about: "Whether requests for access must give a reason.", standard: false},
		"attributes":               groupsField("The rule covers connections that share one of these attributes."),
		"connection_names":         groupsField("Names of the connections that the rule covers."),
	},
	check: accessRuleFaults,
	find: func(ctx context.Context, client *gateway.Client, idOrName string) (*found, error) {
		is, err := answered(client.GetAccessRequestRule(ctx, idOrName))
		if is != nil || err != nil {
			return is, err
		}
		return accessRuleWithID(ctx, client, idOrName)
	},
	// The API knows rules by their names, which may have changed.
	read: func(ctx context.Context, client *gateway.Client, state document) (*found, error) {
		is, err := answered(client.GetAccessRequestRule(ctx, state.text("name")))
		if err != nil || (is != nil && is.id() == state.text("id")) {
			return is, err
		}
		return accessRuleWithID(ctx, client, state.text("id"))
	},
	create: func(ctx context.Context, client *gateway.Client, want document) (*found, error) {
		return made(ctx, want, client.CreateAccessRequestRule)
	},
	update: func(ctx context.Context, client *gateway.Client, was *found, _, want document) (*found, error) {
		return replaced(ctx, was.name(), &gateway.UpdateAccessRequestRuleParams{IfMatch: &was.tag}, want, client.UpdateAccessRequestRule)
	},
	remove: func(ctx context.Context, client *gateway.Client, was *found) error {
		_, err := client.DeleteAccessRequestRule(ctx, was.name(), &gateway.DeleteAccessRequestRuleParams{IfMatch: &was.tag})
		return err
	},
}

func accessRuleWithID(ctx context.Context, client *gateway.Client, id string) (*found, error) {
	for rule, err := range client.AllAccessRequestRules(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if rule.ID == id {
			return answered(client.GetAccessRequestRule(ctx, rule.Name))
		}
	}
	return nil, nil
}

// accessRuleFaults are those of contract, "Access request rule" (RULE-11, RULE-13), that need no gateway.
func accessRuleFaults(rule document, fault func(path.Path, string)) {
	if rule.isEmpty("connection_names") && rule.isEmpty("attributes") {
		fault(path.Root("connection_names"), "name at least one connection in connection_names, or one of attributes")
	}
	if rule.isEmpty("reviewers_groups") {
		fault(path.Root("reviewers_groups"), "reviewers_groups must name at least one group")
	}
	all, isKnown := rule["all_groups_must_approve"].(bool)
	needsNumber := !all && (isKnown || rule["all_groups_must_approve"] == nil)
	if least := rule["min_approvals"]; needsNumber && (least == nil || least == json.Number("0")) {
		fault(path.Root("min_approvals"), "min_approvals must be at least 1, unless all_groups_must_approve is true")
	}
	if groups, has := rule["skip_review_groups"].([]any); has && len(groups) > 0 {
		if required, has := rule["approval_required_groups"].([]any); has && len(required) > 0 {
			fault(path.Root("skip_review_groups"), "skip_review_groups may be set only while approval_required_groups is empty")
		}
	}
}
