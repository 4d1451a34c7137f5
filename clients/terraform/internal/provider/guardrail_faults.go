package provider

import (
	"fmt"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/path"
)

// owners are the fields of one type of entry: in others they have no effect, and the gateway refuses them.
var owners = map[string]string{
	"words": "deny_words_list", "case_sensitive": "deny_words_list", "whole_word": "deny_words_list",
	"pattern_regex": "pattern_match", "detectors": "detector",
	"kinds": "sql_statement", "without_where": "sql_statement", "tables": "sql_statement", "functions": "sql_statement", "unparseable": "sql_statement",
	"programs": "shell_command", "program_arguments": "shell_command", "redirects_to": "shell_command", "hidden_commands": "shell_command",
	"file_operations": "file_transfer", "file_paths": "file_transfer", "file_extensions": "file_transfer", "file_bytes_over": "file_transfer",
}

// needed are the fields without which an entry would find nothing.
var needed = map[string]bool{"words": true, "pattern_regex": true, "detectors": true}

// guardrailFaults are those of contract, "Guardrail rule" (GUARDRAIL-8), that need no gateway.
func guardrailFaults(rule document, fault func(path.Path, string)) {
	for _, direction := range []string{"input", "output"} {
		set, _ := rule[direction].(map[string]any)
		entries, _ := set["rules"].([]any)
		for i, each := range entries {
			if entry, isKnown := each.(map[string]any); isKnown {
				at := path.Root(direction).AtName("rules").AtListIndex(i)
				entryFaults(entry, direction, func(field, sentence string) { fault(at.AtName(field), sentence) })
			}
		}
	}
}

func entryFaults(entry document, direction string, fault func(field, sentence string)) {
	kind := entry.text("type")
	for field, owner := range owners {
		if kind != "" && owner != kind && entry.isGiven(field) {
			fault(field, fmt.Sprintf("%s belongs to entries of type %s only", field, owner))
		}
		if needed[field] && owner == kind && entry.isEmpty(field) {
			fault(field, field+" must not be empty")
		}
	}
	if kind == "detector" && direction == "input" {
		fault("type", "detector entries screen output only")
	}
	if (kind == "sql_statement" || kind == "shell_command" || kind == "file_transfer") && direction == "output" {
		fault("type", kind+" entries judge input only")
	}
	if (kind == "shell_command" || kind == "file_transfer") && entry.isGiven("arguments") {
		fault("arguments", "arguments has no effect in "+kind+" entries, which read no calls")
	}
	if direction == "output" && entry.isGiven("arguments") {
		fault("arguments", "arguments belongs to entries that judge input")
	}
	if direction == "input" && entry.text("action") == "mask" {
		fault("action", "only output can be masked")
	}
	if entry["keep_last"] != nil && !entry.isUnknown("action") && entry.text("action") != "mask" {
		fault("keep_last", "keep_last needs the action mask")
	}
	// Expressions of Go are RE2, as those of the gateway are.
	if _, err := regexp.Compile(entry.text("pattern_regex")); err != nil {
		fault("pattern_regex", "RE2 refuses pattern_regex: "+err.Error())
	}
}

// isGiven tells whether the field is known to say something.
func (d document) isGiven(name string) bool {
	return !d.isEmpty(name) && !d.isUnknown(name) && d[name] != false
}
