package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// fields are those of a resource, by their names in the API.
type fields map[string]field

// field is a field of a resource, and what the API says of it (openapi_test.go).
type field struct {
	form  form
	about string

	// required: a configuration must set it.
	required bool
	// standard is what the API takes for a field that is absent: a string, a bool, or none, for what has nothing in it.
	// nil: null is a value of its own.
	standard any
	// shown: the gateway says it, and nobody sets it.
	shown bool
	// open: what a configuration does not set is as the gateway has it.
	open bool
	// fixed: another value makes another resource.
	fixed bool
	// steady: it stays as it is when others change.
	steady bool
	// otherSide: others set it from the other side, also in the same apply. Their change is no conflict.
	otherSide bool
	// ours: only Terraform knows it.
	ours bool
	// writeOnly: it is in no plan and in no state.
	writeOnly bool

	// isName: it does not begin or end with white space, which the gateway would take away.
	isName bool
	// oneOf are the values that a text, or each text of a list, may have.
	oneOf []string
	// pattern is that of a text.
	pattern string
	// min and max are the length of a text, of each text of a list, or the value of a number. max 0: no limit.
	min, max int64
	// least and most are the number of items. most 0: no limit.
	least, most int64
	// key is the longest key of a map.
	key int64
	// fields are those of an object, or of each object of a list.
	fields fields
	// ofKinds: its values are those of the kinds of connections that the gateway has.
	ofKinds bool
	// filled: what a configuration does not set is filled in when it is planned (kind.plan).
	filled bool
}

type form int

const (
	text form = iota
	flag
	number
	// texts are a list, whose order is kept.
	texts
	// names are a set of texts.
	names
	// labels are a map of texts.
	labels
	object
	objects
)

// none is the standard of what has nothing in it.
type none struct{}

// isSet tells whether a configuration may set it, and the gateway shows it.
func (f field) isSet() bool { return !f.shown && !f.ours && !f.writeOnly }

func (f field) isOptional() bool { return !f.required && !f.shown }

// isComputed tells whether it has a value although a configuration sets none.
func (f field) isComputed() bool {
	return !f.required && (f.shown || f.open || f.standard != nil || f.filled)
}

func (all fields) attributes() map[string]schema.Attribute {
	made := map[string]schema.Attribute{}
	for name, field := range all {
		made[name] = field.attribute()
	}
	return made
}

func (f field) attribute() schema.Attribute {
	optional, computed := f.isOptional(), f.isComputed()
	switch f.form {
	case flag:
		made := schema.BoolAttribute{MarkdownDescription: f.about, Required: f.required, Optional: optional, Computed: computed}
		if value, has := f.standard.(bool); has {
			made.Default = booldefault.StaticBool(value)
		}
		return made
	case number:
		return schema.Int64Attribute{MarkdownDescription: f.about, Required: f.required, Optional: optional, Computed: computed, Validators: f.numberChecks()}
	case texts:
		made := schema.ListAttribute{MarkdownDescription: f.about, ElementType: types.StringType, Required: f.required, Optional: optional, Computed: computed, Validators: f.listChecks()}
		if f.standard == (none{}) {
			made.Default = listdefault.StaticValue(types.ListValueMust(types.StringType, nil))
		}
		return made
	case names:
		made := schema.SetAttribute{MarkdownDescription: f.about, ElementType: types.StringType, Required: f.required, Optional: optional, Computed: computed, Validators: f.setChecks()}
		if f.standard == (none{}) {
			made.Default = setdefault.StaticValue(types.SetValueMust(types.StringType, nil))
		}
		return made
	case labels:
		made := schema.MapAttribute{MarkdownDescription: f.about, ElementType: types.StringType, Required: f.required, Optional: optional, Computed: computed, Sensitive: f.writeOnly, WriteOnly: f.writeOnly, Validators: f.mapChecks()}
		if f.standard == (none{}) {
			made.Default = mapdefault.StaticValue(types.MapValueMust(types.StringType, nil))
		}
		return made
	case object:
		made := schema.SingleNestedAttribute{MarkdownDescription: f.about, Attributes: f.fields.attributes(), Required: f.required, Optional: optional, Computed: computed}
		if f.standard == (none{}) {
			made.Default = objectdefault.StaticValue(f.empty())
		}
		return made
	case objects:
		made := schema.ListNestedAttribute{MarkdownDescription: f.about, NestedObject: schema.NestedAttributeObject{Attributes: f.fields.attributes()}, Required: f.required, Optional: optional, Computed: computed, Validators: f.listChecks()}
		if f.standard == (none{}) {
			made.Default = listdefault.StaticValue(types.ListValueMust(made.NestedObject.Type(), nil))
		}
		return made
	default:
		made := schema.StringAttribute{MarkdownDescription: f.about, Required: f.required, Optional: optional, Computed: computed, Sensitive: f.writeOnly, WriteOnly: f.writeOnly, Validators: f.textChecks(), PlanModifiers: f.textPlan()}
		if value, has := f.standard.(string); has {
			made.Default = stringdefault.StaticString(value)
		}
		return made
	}
}

// empty is an object of which a configuration sets nothing.
func (f field) empty() types.Object {
	of, values := map[string]attr.Type{}, map[string]attr.Value{}
	for name, inner := range f.fields {
		attribute := inner.attribute()
		of[name] = attribute.GetType()
		values[name] = inner.absent(of[name])
	}
	return types.ObjectValueMust(of, values)
}

// null is an object that is not there.
func (f field) null() types.Object {
	return types.ObjectNull(f.empty().AttributeTypes(context.Background()))
}

// absent is the value of a field that is not set.
func (f field) absent(of attr.Type) attr.Value {
	switch value := f.standard.(type) {
	case string:
		return types.StringValue(value)
	case bool:
		return types.BoolValue(value)
	}
	switch f.form {
	case flag:
		return types.BoolNull()
	case number:
		return types.Int64Null()
	case texts, objects:
		return types.ListValueMust(of.(attr.TypeWithElementType).ElementType(), nil)
	case names:
		return types.SetValueMust(types.StringType, nil)
	case labels:
		return types.MapValueMust(types.StringType, nil)
	case object:
		return f.empty()
	default:
		return types.StringNull()
	}
}
