package provider

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// trimmed: Terraform would find another value than it planned.
var trimmed = stringvalidator.RegexMatches(regexp.MustCompile(`^(\S(.*\S)?)?$`), "must not begin or end with white space")

func (f field) textChecks() []validator.String {
	var all []validator.String
	if f.max > 0 {
		all = append(all, stringvalidator.UTF8LengthBetween(int(f.min), int(f.max)))
	}
	if len(f.oneOf) > 0 {
		all = append(all, stringvalidator.OneOf(f.oneOf...))
	}
	if f.pattern != "" {
		all = append(all, stringvalidator.RegexMatches(regexp.MustCompile(f.pattern), "must match "+f.pattern))
	}
	if f.isName {
		all = append(all, trimmed)
	}
	return all
}

func (f field) numberChecks() []validator.Int64 {
	switch {
	case f.max > 0:
		return []validator.Int64{int64validator.Between(f.min, f.max)}
	default:
		return []validator.Int64{int64validator.AtLeast(f.min)}
	}
}

func (f field) listChecks() []validator.List {
	var all []validator.List
	if f.most > 0 {
		all = append(all, listvalidator.SizeBetween(int(f.least), int(f.most)))
	}
	if items := f.textChecks(); len(items) > 0 && f.form == texts {
		all = append(all, listvalidator.ValueStringsAre(items...))
	}
	return all
}

func (f field) setChecks() []validator.Set {
	all := []validator.Set{setvalidator.ValueStringsAre(f.textChecks()...)}
	if f.most > 0 {
		all = append(all, setvalidator.SizeBetween(int(f.least), int(f.most)))
	}
	return all
}

func (f field) mapChecks() []validator.Map {
	var all []validator.Map
	if f.most > 0 {
		all = append(all, mapvalidator.SizeAtMost(int(f.most)))
	}
	if f.key > 0 {
		all = append(all, mapvalidator.KeysAre(stringvalidator.UTF8LengthBetween(1, int(f.key)), trimmed))
	}
	if f.max > 0 {
		all = append(all, mapvalidator.ValueStringsAre(f.textChecks()...))
	}
	return all
}

func (f field) textPlan() []planmodifier.String {
	var all []planmodifier.String
	if f.steady {
		all = append(all, stringplanmodifier.UseStateForUnknown())
	}
	switch {
	case f.fixed && f.open:
		all = append(all, stringplanmodifier.RequiresReplaceIfConfigured())
	case f.fixed:
		all = append(all, stringplanmodifier.RequiresReplace())
	}
	return all
}
