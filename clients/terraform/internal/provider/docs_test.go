package provider

import (
	flags "flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var write = flags.Bool("write", false, "write docs/ anew")

const root = "../.."

// docs/ is what registries show. It is written from the fields and examples/: go test ./internal/provider -run Docs -write
func TestDocs(t *testing.T) {
	pages := map[string]string{"index.md": index(t)}
	for _, kind := range kinds {
		folder := "resources/accessgateway_" + kind.name
		page := head(kind.name, "Resource", kind.about) + example(t, folder+"/resource.tf", "terraform") + kind.fields.section("")
		pages["resources/"+kind.name+".md"] = page + "\n## Import\n\nBy " + kind.importedBy + ".\n\n" + example(t, folder+"/import.sh", "sh")
	}
	for _, lookup := range lookups {
		folder := "data-sources/accessgateway_" + lookup.name
		needed := maps.Clone(lookup.fields)
		for name, field := range needed {
			field.shown, field.required = name != "name", name == "name"
			needed[name] = field
		}
		pages["data-sources/"+lookup.name+".md"] = head(lookup.name, "Data Source", lookup.about) + example(t, folder+"/data-source.tf", "terraform") + needed.section("")
	}
	for name, page := range pages {
		file := filepath.Join(root, "docs", name)
		if *write {
			check(t, os.MkdirAll(filepath.Dir(file), 0o755))
			check(t, os.WriteFile(file, []byte(page), 0o644))
		} else if is, err := os.ReadFile(file); err != nil || string(is) != page {
			t.Errorf("docs/%s is out of date: go test ./internal/provider -run Docs -write", name)
		}
	}
}

func head(name, what, about string) string {
	return fmt.Sprintf("---\npage_title: \"%s_%s\"\nsubcategory: \"\"\n---\n\n# %s_%s (%s)\n\n%s\n\n", Name, name, Name, name, what, about)
}

func index(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "templates/index.md"))
	check(t, err)
	return strings.Replace(string(text), "EXAMPLE\n", example(t, "provider/provider.tf", "terraform"), 1)
}

func example(t *testing.T, file, language string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "examples", file))
	check(t, err)
	return "```" + language + "\n" + string(text) + "```\n"
}

// section lists the fields, and those of the objects in them.
func (all fields) section(of string) string {
	var text strings.Builder
	sorted := slices.Sorted(maps.Keys(all))
	for _, group := range []struct {
		title string
		has   func(field) bool
	}{
		{"Required", func(f field) bool { return f.required }},
		{"Optional", field.isOptional},
		{"Read-only", func(f field) bool { return f.shown }},
	} {
		title := "\n## " + group.title + "\n\n"
		if of != "" {
			title = "\n" + group.title + ":\n\n"
		}
		for _, name := range sorted {
			if group.has(all[name]) {
				text.WriteString(title + all[name].line(name, of))
				title = ""
			}
		}
	}
	for _, name := range sorted {
		if len(all[name].fields) > 0 {
			path := strings.TrimPrefix(of+"."+name, ".")
			text.WriteString("\n<a id=\"" + anchor(path) + "\"></a>\n### `" + path + "`\n" + all[name].fields.section(path))
		}
	}
	return text.String()
}

var formNames = map[form]string{
	text: "String", flag: "Boolean", number: "Number", texts: "List of String", names: "Set of String", labels: "Map of String", object: "Object", objects: "List of Object",
}

func (f field) line(name, of string) string {
	what := formNames[f.form]
	if f.writeOnly {
		what += ", write-only"
	}
	about := f.about
	if slices.ContainsFunc(f.oneOf, func(value string) bool { return !strings.Contains(about, "`"+value+"`") }) {
		about += " Values: `" + strings.Join(f.oneOf, "`, `") + "`."
	}
	if value, has := f.standard.(string); has && value != "" {
		about += " Default: `" + value + "`."
	}
	if value, has := f.standard.(bool); has {
		about += fmt.Sprintf(" Default: `%t`.", value)
	}
	if len(f.fields) > 0 {
		about += " See [below](#" + anchor(strings.TrimPrefix(of+"."+name, ".")) + ")."
	}
	return fmt.Sprintf("- `%s` (%s) %s\n", name, what, about)
}

func anchor(path string) string { return "nested-" + strings.ReplaceAll(path, ".", "--") }

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
