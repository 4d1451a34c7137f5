package provider

import (
	"context"
	"fmt"
	"maps"
	"slices"

	gateway "github.com/access-gateway/access-gateway/clients/go"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// lookup is a data source: something that the gateway has, found by its name.
type lookup struct {
	name   string
	label  string
	about  string
	fields fields
	// find returns nil if there is none.
	find func(ctx context.Context, client *gateway.Client, name string) (*found, error)
}

var lookups = []lookup{
	{
		name: "connection", label: "connection", about: "A connection, by its name.",
		fields: connection.fields.shownWith(fields{
			"secret_names": {form: names, about: "Names of the values of the secret; the values are never shown."},
			"status":       {form: text, about: "Whether the gateway could open the target when it last tried: `online`, `offline` or `unknown`."},
			"managed_by":   {form: text, about: "What else manages the connection; null: nothing."},
		}),
		find: func(ctx context.Context, client *gateway.Client, name string) (*found, error) {
			is, err := answered(client.GetConnection(ctx, name))
			if is != nil {
				secret, _ := is.fields["secret"].(map[string]any)
				is.fields["secret_names"] = slices.Sorted(maps.Keys(secret))
			}
			return is, err
		},
	},
	{
		name: "catalog_entry", label: "entry of the catalog", about: "An entry of the gateway’s catalog of public MCP servers, by its name.",
		fields: fields{
			"name":        {form: text, about: "Name of the entry: the value for `catalog` of a connection."},
			"description": {form: text, about: "What the server offers, in a line."},
			"url":         {form: text, about: "Its address: the value for `REMOTE_URL`."},
			"transport":   {form: text, about: "Its transport: the value for `MCP_TRANSPORT`."},
			"auth":        {form: text, about: "How its provider wants clients to sign in: `none`, `static` or `oauth`."},
			"auth_modes":  {form: texts, about: "Every way to sign in that it accepts; the first is the default."},
			"header":      {form: text, about: "Header for a static credential, with a template of its value; empty if it takes none."},
			"notes":       {form: text, about: "What to know before it is used."},
		},
		find: func(ctx context.Context, client *gateway.Client, name string) (*found, error) {
			catalog, err := client.ListMCPCatalog(ctx)
			if err != nil {
				return nil, err
			}
			for _, entry := range catalog.Body {
				if entry.Name == name {
					return foundIn(entry, "")
				}
			}
			return nil, nil
		},
	},
}

// shownWith are the fields that the gateway shows, and others.
func (all fields) shownWith(more fields) fields {
	for name, field := range all {
		if !field.ours && !field.writeOnly {
			more[name] = field
		}
	}
	return more
}

type looked struct {
	lookup
	client *gateway.Client
}

var _ datasource.DataSourceWithConfigure = (*looked)(nil)

func (l *looked) Metadata(_ context.Context, request datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_" + l.lookup.name
}

func (l *looked) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	attributes := l.fields.shown()
	attributes["name"] = schema.StringAttribute{MarkdownDescription: l.fields["name"].about, Required: true}
	response.Schema = schema.Schema{MarkdownDescription: l.about, Attributes: attributes}
}

func (l *looked) Configure(_ context.Context, request datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	l.client, _ = request.ProviderData.(*gateway.Client)
}

func (l *looked) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	config, err := documentOf(request.Config.Raw)
	name := config.text("name")
	var is *found
	if err == nil {
		is, err = l.find(ctx, l.client, name)
	}
	if err == nil && is != nil {
		response.State.Raw, err = valueOf(is.fields, request.Config.Raw.Type())
	}
	switch {
	case err != nil:
		response.Diagnostics.AddError("The gateway did not read the "+l.label, explained(err))
	case is == nil:
		response.Diagnostics.AddError("There is no such "+l.label, fmt.Sprintf("The gateway has no %s with the name %q.", l.label, name))
	}
}

// shown are the fields as attributes that nobody sets.
func (all fields) shown() map[string]schema.Attribute {
	made := map[string]schema.Attribute{}
	for name, field := range all {
		made[name] = field.shownAttribute()
	}
	return made
}

func (f field) shownAttribute() schema.Attribute {
	switch f.form {
	case flag:
		return schema.BoolAttribute{MarkdownDescription: f.about, Computed: true}
	case number:
		return schema.Int64Attribute{MarkdownDescription: f.about, Computed: true}
	case texts:
		return schema.ListAttribute{MarkdownDescription: f.about, Computed: true, ElementType: types.StringType}
	case names:
		return schema.SetAttribute{MarkdownDescription: f.about, Computed: true, ElementType: types.StringType}
	case labels:
		return schema.MapAttribute{MarkdownDescription: f.about, Computed: true, ElementType: types.StringType}
	case object:
		return schema.SingleNestedAttribute{MarkdownDescription: f.about, Computed: true, Attributes: f.fields.shown()}
	case objects:
		return schema.ListNestedAttribute{MarkdownDescription: f.about, Computed: true, NestedObject: schema.NestedAttributeObject{Attributes: f.fields.shown()}}
	default:
		return schema.StringAttribute{MarkdownDescription: f.about, Computed: true}
	}
}
