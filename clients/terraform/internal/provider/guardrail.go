package provider

import (
	"context"

	gateway "github.com/access-gateway/access-gateway/clients/go"
)

func ruleSet(about string) field {
	return field{form: object, about: about, standard: none{}, fields: fields{
		"rules": {form: objects, about: "Entries, in order.", required: true, most: 200, fields: entry},
	}}
}

// entry is one condition of a guardrail. The fields of the specification are in each; all others only where they are given.
var entry = fields{
	"type": {
		form: text, required: true, oneOf: []string{"deny_words_list", "pattern_match", "sql_statement", "shell_command", "file_transfer", "detector"},
		about: "`deny_words_list` finds words; `pattern_match` finds matches of an RE2 expression; `sql_statement` (input) finds what statements do; `shell_command` (input) finds what the commands of shell scripts run; `file_transfer` (input) finds operations on files by SFTP; `detector` (output) finds sensitive data of known forms.",
	},
	"words":          {form: texts, about: "`deny_words_list`: words that are denied.", standard: none{}},
	"pattern_regex":  {form: text, about: "`pattern_match`: RE2 expression that is denied.", standard: ""},
	"name":           {form: text, about: "Name of the entry.", isName: true, max: 128},
	"message":        {form: text, about: "What the user is told when the entry is hit.", max: 1024},
	"case_sensitive": {form: flag, about: "`deny_words_list`: the words are found in this case only."},
	"whole_word":     {form: flag, about: "`deny_words_list`: the words are not found inside longer words."},
	"kinds":          {form: texts, about: "`sql_statement`: kinds of statements that are denied, such as `drop`.", oneOf: statementKinds},
	"without_where":  {form: flag, about: "`sql_statement`: UPDATE and DELETE without WHERE are denied."},
	"tables": {form: objects, about: "`sql_statement`: tables that are denied.", most: 2500, fields: fields{
		"name":   {form: text, about: "`table` or `schema.table`, as SQL writes it.", required: true, min: 1, max: 255},
		"access": {form: text, about: "Which access is denied: `read`, `write` or `any`.", required: true, oneOf: []string{"read", "write", "any"}},
	}},
	"functions":         {form: texts, about: "`sql_statement`: functions that are denied, as `function` or `schema.function`."},
	"unparseable":       {form: text, about: "`sql_statement`: what becomes of a text that cannot be parsed, or hides its effect. Null: `refuse`.", oneOf: []string{"refuse", "allow"}},
	"programs":          {form: texts, about: "`shell_command`: programs that are denied, by name or by absolute path; `*` and `?` stand for characters.", most: 200},
	"program_arguments": {form: texts, about: "`shell_command`: the programs are denied only where each of these is among their arguments.", most: 20},
	"redirects_to":      {form: texts, about: "`shell_command`: absolute paths to which no output may be redirected; `*` and `?` stand for characters.", most: 200},
	"hidden_commands":   {form: text, about: "`shell_command`: what becomes of a script that cannot be read, or runs what is not in its text. Null: `refuse`.", oneOf: []string{"refuse", "allow"}},
	"file_operations": {
		form: texts, about: "`file_transfer`: what is denied. Null: everything.",
		oneOf: []string{"read", "write", "delete", "rename", "link", "list", "inspect"},
	},
	"file_paths":      {form: texts, about: "`file_transfer`: absolute paths for which that is denied; `*` and `?` stand for characters.", most: 50},
	"file_extensions": {form: texts, about: "`file_transfer`: ends of file names for which that is denied, without the dot before them.", most: 50},
	"file_bytes_over": {form: number, about: "`file_transfer`: bytes up to which a file may be read and written. Null: no limit.", max: 2147483647},
	"detectors": {
		form: texts, about: "`detector`: what is looked for.",
		oneOf: []string{"email", "payment_card", "us_ssn", "iban", "phone", "aws_key", "jwt", "private_key"},
	},
	"action":    {form: text, about: "Output only: `mask` replaces what is found, instead of stopping the stream. Null: `block`.", oneOf: []string{"block", "mask"}},
	"keep_last": {form: number, about: "With `mask`: number of characters at the end that stay readable. Null: 0.", max: 64},
	"arguments": {form: texts, about: "Input only: JSON pointers to the arguments of tool calls that the entry reads, such as `/sql` or `/queries/*`. Null: it reads everything.", most: 20},
}

var statementKinds = []string{
	"select", "insert", "update", "delete", "merge", "truncate", "copy", "copy_program", "copy_file", "create", "alter", "drop",
	"import_foreign_schema", "comment", "security_label", "refresh", "grant", "revoke", "set", "reset", "show", "discard", "load", "do",
	"call", "prepare", "execute", "deallocate", "explain", "declare_cursor", "fetch", "close", "lock", "vacuum", "analyze", "cluster",
	"reindex", "checkpoint", "listen", "notify", "unlisten", "begin", "commit", "rollback", "savepoint", "release",
	"prepare_transaction", "other", "other_sessions", "set_role",
}

var guardrail = kind{
	name:       "guardrail",
	label:      "guardrail",
	about:      "A guardrail: a rule about what goes into connections and what comes out of them.",
	importedBy: "id or name",
	fields: fields{
		"id":          identity,
		"name":        {form: text, about: "Unique name. It may change.", isName: true, required: true, min: 1, max: 128},
		"description": description,
		"input":       ruleSet("Entries that judge input."),
		"output":      ruleSet("Entries that screen output."),
		"attributes":  groupsField("The guardrail holds on connections that share one of these attributes."),
		"connection_ids": {
			form: names, open: true, otherSide: true, most: 1000,
			about: "Ids of connections on which the guardrail holds. Null: they are left as they are, for `guardrail_rules` of connections sets the same. Set it on one side.",
		},
	},
	check: guardrailFaults,
	find: func(ctx context.Context, client *gateway.Client, idOrName string) (*found, error) {
		for rule, err := range client.AllGuardRails(ctx, nil) {
			if err != nil {
				return nil, err
			}
			if rule.ID == idOrName || rule.Name == idOrName {
				return answered(client.GetGuardRail(ctx, rule.ID))
			}
		}
		return nil, nil
	},
	read: func(ctx context.Context, client *gateway.Client, state document) (*found, error) {
		return answered(client.GetGuardRail(ctx, state.text("id")))
	},
	create: func(ctx context.Context, client *gateway.Client, want document) (*found, error) {
		return made(ctx, want, client.CreateGuardRail)
	},
	update: func(ctx context.Context, client *gateway.Client, was *found, _, want document) (*found, error) {
		if want.isUnknown("connection_ids") {
			want["connection_ids"] = was.fields["connection_ids"]
		}
		return replaced(ctx, was.id(), &gateway.UpdateGuardRailParams{IfMatch: &was.tag}, want, client.UpdateGuardRail)
	},
	remove: func(ctx context.Context, client *gateway.Client, was *found) error {
		_, err := client.DeleteGuardRail(ctx, was.id(), &gateway.DeleteGuardRailParams{IfMatch: &was.tag})
		return err
	},
}
