import { type Json, type JsonObject, isObject } from '../../kernel/json/json';

const COMPONENTS = '#/components/schemas/';
/** Formats of OpenAPI that JSON Schema does not know. */
const FOREIGN_FORMATS: ReadonlySet<Json> = new Set(['int32', 'int64', 'float', 'double']);

/** Converts schemas of the API description (OpenAPI 3.0) to self-contained JSON Schemas (2020-12). */
export class JsonSchemas {
  /** @param components `components.schemas` of the API description. */
  constructor(private readonly components: JsonObject) {}

  /**
   * Returns a schema with the type object at its root, because MCP requires it. `$defs` contains all schemas
   * that the schema refers to.
   * @param isDescribed whether the descriptions of fields are kept.
   */
  complete(root: JsonObject, isDescribed: boolean): JsonObject {
    const defs: JsonObject = {};
    const convert = (node: JsonObject): JsonObject => this.converted(node, defs, isDescribed);
    const schema = convert(this.resolved(root));
    return { ...schema, type: 'object', ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }) };
  }

  /** Returns the schema that a reference names. Returns any other schema unchanged. */
  resolved(schema: JsonObject): JsonObject {
    const found = this.components[nameIn(schema['$ref']) ?? ''];
    return isObject(found) ? found : schema;
  }

  private converted(node: JsonObject, defs: JsonObject, isDescribed: boolean): JsonObject {
    const name = nameIn(node['$ref']);
    if (name !== undefined) {
      if (defs[name] === undefined) {
        // Sets the entry before the conversion, so that a schema may refer to itself.
        defs[name] = {};
        defs[name] = this.converted(this.resolved(node), defs, isDescribed);
      }
      return { $ref: `#/$defs/${name}` };
    }
    const { example: _example, nullable, description, format, ...rest } = node;
    const schema: JsonObject = { ...rest };
    if (description !== undefined && isDescribed) schema['description'] = description;
    if (format !== undefined && !FOREIGN_FORMATS.has(format)) schema['format'] = format;
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties' && isObject(value))
        schema[key] = mapped(value, (one) => this.converted(one, defs, isDescribed));
      else if ((key === 'items' || key === 'additionalProperties') && isObject(value))
        schema[key] = this.converted(value, defs, isDescribed);
      else if (key === 'allOf' && Array.isArray(value))
        schema[key] = value.filter(isObject).map((one) => this.converted(one, defs, isDescribed));
    }
    return nullable === true ? orNull(schema) : schema;
  }
}

/** Adds the type `null` to a schema, because JSON Schema does not have the `nullable` of OpenAPI 3.0. */
function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}

function mapped(schemas: JsonObject, convert: (schema: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isObject(schema) ? convert(schema) : schema]),
  );
}

function nameIn(reference: Json | undefined): string | undefined {
  return typeof reference === 'string' && reference.startsWith(COMPONENTS)
    ? reference.slice(COMPONENTS.length)
    : undefined;
}
