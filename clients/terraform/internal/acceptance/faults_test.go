package acceptance

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	gateway "github.com/access-gateway/access-gateway/clients/go"
)

// A busy gateway is asked again; what may have been done is not done twice.
func TestRetries(t *testing.T) {
	w, client := begin(t), api(t)
	proxy, name := variable(t, "GATEWAY_FAULTS"), fresh(t, "a")
	through := func(fault string) (count func() string) {
		key := fresh(t, "count")
		w.environment = append(w.environment, fmt.Sprintf("GATEWAY_URL=%s%s/%s/api", proxy, fault, key))
		return func() string {
			answer, err := http.Get(proxy + "/count/" + key)
			check(t, err)
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			check(t, err)
			return string(text)
		}
	}
	w.write(label, name, "first")
	count := through("/status/503/none/1")
	w.fails(applied, "The gateway did not create the attribute", "503")
	equal(t, "requests", count(), "1")
	count = through("/drop/1")
	w.fails(applied, "The gateway did not create the attribute", "The answer was lost, so it may be there all the same")
	equal(t, "requests", count(), "1")
	count = through("/status/429/1/2")
	w.apply()
	equal(t, "requests", count(), "3")
	w.write(label, name, "second")
	count = through("/status/503/1/2")
	w.apply()
	equal(t, "description", got[gateway.AttributeView](t)(client.GetAttribute(t.Context(), name)).Description, "second")
	// Read for the plan (2 refused), read again, written.
	equal(t, "requests", count(), "5")
	count = through("/drop/1")
	w.destroy()
	equal(t, "whether the lost connection was made again", count() != "1", true)
}

// Faults that a person makes are explained.
func TestRefusals(t *testing.T) {
	w, client := begin(t), api(t)
	name := fresh(t, "a")
	_, err := client.CreateAttribute(t.Context(), gateway.AttributeBody{Name: name})
	check(t, err)
	w.write(label, name, "mine")
	w.fails(applied, "409: an attribute named "+name+" already exists", "import it")
	_, err = client.DeleteAttribute(t.Context(), name, nil)
	check(t, err)

	for setting, sentences := range map[string][]string{
		"GATEWAY_TOKEN=gwk_wrong":                   {"401: ", "The token of the provider is not, or no longer, valid"},
		"GATEWAY_TOKEN=":                            {"The token of the gateway is missing", "GATEWAY_TOKEN"},
		"GATEWAY_URL=":                              {"The address of the gateway is missing", "GATEWAY_URL"},
		"GATEWAY_URL=http://gateway.example.com":    {"a gateway at another computer is reached by https"},
		"GATEWAY_URL=ftp://gateway.example.com/api": {"must begin with https:// or http://"},
	} {
		wrong := another(t, w)
		wrong.environment = append(wrong.environment, setting)
		wrong.write(label, name, "mine")
		wrong.fails(applied, sentences...)
	}
}

// What the gateway would refuse by itself is refused before anything is planned.
func TestValidation(t *testing.T) {
	w := begin(t)
	w.write(`
resource "accessgateway_access_rule" "it" {
  name                     = "-no name-"
  access_type              = "forever"
  access_max_duration      = 59
  skip_review_groups       = ["dba"]
  approval_required_groups = ["security"]
}

resource "accessgateway_guardrail" "it" {
  name = "it"
  input = { rules = [
    { type = "pattern_match", pattern_regex = "(" },
    { type = "deny_words_list" },
    { type = "detector", detectors = ["email"] },
    { type = "deny_words_list", words = ["x"], kinds = ["drop"], action = "mask" },
    { type = "sql_statement", kinds = ["eat"] },
  ] }
  output = { rules = [
    { type = "sql_statement", kinds = ["drop"] },
    { type = "detector", detectors = ["email"], keep_last = 4, arguments = ["/sql"] },
  ] }
}

resource "accessgateway_attribute" "it" {
  name = ""
}

resource "accessgateway_attribute" "other" {
  name = "pii "
}
`)
	w.fails(checked,
		"must match", `value must be one of: ["jit" "command" "jit_command"]`, "value must be between 60 and 172800",
		"name at least one connection in connection_names, or one of attributes", "reviewers_groups must name at least one group",
		"min_approvals must be at least 1", "skip_review_groups may be set only while approval_required_groups is empty",
		"RE2 refuses pattern_regex", "words must not be empty", "detector entries screen output only",
		"kinds belongs to entries of type sql_statement only", "only output can be masked", `got: "eat"`,
		"sql_statement entries judge input only", "keep_last needs the action mask", "arguments belongs to entries that judge input",
		"character count must be between 1 and 256, got: 0", "Attribute name must not begin or end with white space",
	)
	// Values that are not known yet are no faults.
	w.write(`
resource "terraform_data" "later" {
  input = ["dba"]
}
resource "accessgateway_access_rule" "it" {
  name             = "later"
  access_type      = "jit"
  reviewers_groups = terraform_data.later.output
  min_approvals    = length(terraform_data.later.output)
  attributes       = terraform_data.later.output
}
`)
	w.must(planned...)
}
