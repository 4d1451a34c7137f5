package provider

func patterns(about string) field {
	return field{form: names, about: about, standard: none{}, min: 1, max: 256, most: 200}
}

func namePatterns(of string) fields {
	return fields{
		"allowed": patterns("Patterns of " + of + ": only what one of them matches is there for clients. None: everything. `*` stands for any characters, `?` for one."),
		"denied":  patterns("Patterns of " + of + " that are not there for clients, even if they are allowed."),
	}
}

var toolPatterns = fields{
	"allowed":  namePatterns("tools")["allowed"],
	"denied":   namePatterns("tools")["denied"],
	"approval": patterns("Calls of tools that one of these patterns matches need a review."),
}

var mcpPolicy = field{
	form:   object,
	filled: true,
	about:  "What clients of an MCP server may use, and its limits; for the subtype `mcpproxy`. Default: everything is allowed.",
	fields: fields{
		"tools":     {form: object, about: "Tools, by their names.", standard: none{}, fields: toolPatterns},
		"resources": {form: object, about: "Resources, by their URIs.", standard: none{}, fields: namePatterns("resources")},
		"prompts":   {form: object, about: "Prompts, by their names.", standard: none{}, fields: namePatterns("prompts")},
		"new_tools": {form: text, about: "What happens to a tool that the gateway has not seen before: `allow`, or `hold` until an admin accepts it.", standard: "allow", oneOf: []string{"allow", "hold"}},
		"server_requests": {
			form: names, about: "Requests of the server that reach the client: `sampling`, `elicitation`, `roots`.",
			standard: none{}, most: 3, oneOf: []string{"sampling", "elicitation", "roots"},
		},
		"calls_per_minute": {form: number, about: "Calls of one tool by one user or API key in a minute. Null: no limit.", min: 1, max: 100_000},
		"result_bytes":     {form: number, about: "Size of one result. Null: the limit of the gateway.", min: 1024, max: 1 << 30},
		"streams":          {form: number, about: "Streams that one user or API key may have open at a time. Null: the limit of the gateway.", min: 1, max: 1000},
	},
}
