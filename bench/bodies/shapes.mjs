// The worst request bodies for each operation of openapi.json that accepts a body. Each has at most 1 MiB.

const NOTHING = '00000000-0000-4000-8000-000000000000';
const LARGE = 900_000;
/** Number of fields or elements of large shapes. Bodies with so many once took 25 s for 650 kB. */
const MANY = 60_000;
/** Numbers of elements, fields and values just within the bounds of src/platform/http/body/bounds.ts. */
const ELEMENTS = 19_000;
const FIELDS = 990;
const VALUES = 45_000;

const times = (count, item) => Array.from({ length: count }, (_, index) => item(index));

/** Every operation with a body, and the schema of its body. */
export function bodyOperations(document) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, requestBody }]) => {
      const schema = requestBody?.content?.['application/json']?.schema;
      if (schema === undefined) return [];
      return [{ id: operationId, method: method.toUpperCase(), path, schema }];
    }),
  );
}

/** Returns the schema with its `$ref` and `allOf` resolved. */
function resolved(document, schema) {
  if (schema.$ref !== undefined) {
    const { $ref, ...others } = schema;
    return { ...resolved(document, document.components.schemas[$ref.split('/').at(-1)]), ...others };
  }
  if (schema.allOf === undefined) return schema;
  const { allOf, ...others } = schema;
  return Object.assign({}, ...allOf.map((part) => resolved(document, part)), others);
}

/** Returns every field below a schema: its path (`*` stands for the elements of an array), and its schema. */
export function fieldsOf(document, given, path = []) {
  const schema = resolved(document, given);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = [...path, name];
    return [{ path: at, schema: resolved(document, field) }, ...fieldsOf(document, field, at)];
  });
  return schema.items === undefined ? own : [...own, ...fieldsOf(document, schema.items, [...path, '*'])];
}

/** Returns a valid value for a schema: its example, or an object with only the required fields. */
export function soundValue(document, given) {
  const schema = resolved(document, given);
  if (schema.example !== undefined && schema.type !== 'object') return schema.example;
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'string':
      return schema.format === 'uuid' ? NOTHING : 'text'.padEnd(schema.minLength ?? 0, 'x');
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    default:
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, soundValue(document, schema.properties[name])]),
      );
  }
}

/** Returns a valid body as JSON, in which `json` is the value of the field at `path`. */
function withField(document, operation, path, json) {
  const mark = `mark-${path.join('-')}`;
  const body = soundValue(document, operation.schema);
  let within = body;
  let schema = resolved(document, operation.schema);
  for (const [index, name] of path.entries()) {
    const isLast = index === path.length - 1;
    const next = resolved(document, name === '*' ? schema.items : schema.properties[name]);
    const key = name === '*' ? 0 : name;
    if (isLast) within[key] = mark;
    else if (typeof within[key] !== 'object' || within[key] === null)
      within[key] = soundValue(document, next);
    within = within[key];
    schema = next;
  }
  return JSON.stringify(body).replace(JSON.stringify(mark), () => json);
}

/** Returns a valid body as JSON, with `json` inserted before the last brace. */
function withMore(document, operation, json) {
  const body = JSON.stringify(soundValue(document, operation.schema));
  return `${body.slice(0, -1)}${body === '{}' ? '' : ','}${json}}`;
}

const fields = (count, name = (index) => `k${index}`) =>
  times(count, (index) => `${JSON.stringify(name(index))}:1`).join(',');

/** Shapes that do not depend on the schema of the operation. */
function foreign(document, operation) {
  const more = (json) => withMore(document, operation, json);
  const [first = 'x'] = Object.keys(resolved(document, operation.schema).properties ?? {});
  return [
    ['60 000 unknown fields', () => more(fields(MANY))],
    [
      'one field, over and over',
      () =>
        more(
          times(
            Math.min(MANY, Math.floor(LARGE / (first.length + 5))),
            () => `${JSON.stringify(first)}:1`,
          ).join(','),
        ),
    ],
    [
      'unknown fields with long names of wide characters',
      () => more(fields(FIELDS, (i) => `${i}${'\u{1F4A9}'.repeat(60)}`)),
    ],
    ['unknown fields full of fields', () => more(times(45, (i) => `"o${i}":{${fields(FIELDS)}}`).join(','))],
    ['nested 400 000 deep', () => more(`"x":${'['.repeat(LARGE / 2)}`)],
    ['nested 60 deep, wide', () => more(`"x":${'[1,[1,'.repeat(30)}1${']]'.repeat(30)}`)],
    ['a number of 900 000 digits', () => more(`"x":${'1'.repeat(LARGE)}`)],
    ['300 000 empty arrays', () => more(`"x":[${times(LARGE / 3, () => '[]').join(',')}]`)],
    ['a name of 900 000 characters', () => more(`${JSON.stringify('x'.repeat(LARGE))}:1`)],
  ];
}

const TEXTS = {
  letters: () => JSON.stringify('x'.repeat(LARGE)),
  'presentation selectors': () => JSON.stringify('\uFE0F'.repeat(LARGE / 3)),
  'wide characters': () => JSON.stringify('\u{1F4A9}'.repeat(LARGE / 4)),
  'escaped quotes': () => `"${'\\"'.repeat(LARGE / 2)}"`,
  'escaped letters': () => `"${'\\u0041'.repeat(LARGE / 6)}"`,
  'spaces and dots': () => JSON.stringify(' .'.repeat(LARGE / 2)),
};

/**
 * Shapes for a field, by its type.
 * @returns {[name: string, json: () => string][]}
 */
function ofField(document, { schema }) {
  switch (schema.type) {
    case 'string':
      return Object.entries(TEXTS);
    case 'integer':
    case 'number':
      return [['a number of 900 000 digits', () => '1'.repeat(LARGE)]];
    case 'boolean':
      return [['60 000 elements', () => `[${times(MANY, () => 'true').join(',')}]`]];
    case 'array': {
      const item = JSON.stringify(soundValue(document, schema.items ?? {}));
      const [values] = [Math.max(1, Object.keys(JSON.parse(item) ?? {}).length || 1)];
      const count = Math.min(ELEMENTS, Math.floor(VALUES / (values + 1)), Math.floor(LARGE / item.length));
      return [
        ['60 000 elements', () => `[${times(MANY, () => '1').join(',')}]`],
        [`${count} sound elements`, () => `[${times(count, () => item).join(',')}]`],
        [`${ELEMENTS} empty objects`, () => `[${times(ELEMENTS, () => '{}').join(',')}]`],
        ['200 sound elements', () => `[${times(200, () => item).join(',')}]`],
      ];
    }
    default:
      return [
        ['990 fields', () => `{${fields(FIELDS)}}`],
        [
          '990 fields with names of wide characters',
          () => `{${fields(FIELDS, (i) => `${i}${'\u{1F4A9}'.repeat(60)}`)}}`,
        ],
        ['45 times 990 fields', () => `{${times(45, (i) => `"o${i}":{${fields(FIELDS)}}`).join(',')}}`],
        ['a field of 900 000 characters', () => `{"a":"${'x'.repeat(LARGE)}"}`],
      ];
  }
}

/**
 * Returns shapes with six lists inside the elements of another list. Each list is as long as the limits
 * allow.
 */
function ofInnerLists(document, operation) {
  return fieldsOf(document, operation.schema)
    .filter(({ path, schema }) => schema.type === 'array' && path.includes('*'))
    .map(({ path, schema }) => {
      const item = JSON.stringify(soundValue(document, schema.items ?? {}));
      const values = Object.keys(JSON.parse(item) ?? {}).length + 1;
      const count = Math.min(schema.maxItems ?? ELEMENTS, Math.floor(VALUES / values / 6));
      const make = () => {
        const inner = `[${times(count, () => item).join(',')}]`;
        const body = JSON.parse(withField(document, operation, path, inner));
        const outer = path.slice(0, path.indexOf('*')).reduce((within, name) => within[name], body);
        while (outer.length < 6) outer.push(outer[0]);
        return JSON.stringify(body);
      };
      return [`${path.join('.')}: 6 times ${count} sound elements`, make];
    });
}

/** Returns all shapes for an operation with their names. Each body is created when it is read. */
export function bodyShapes(document, operation) {
  const own = fieldsOf(document, operation.schema).flatMap((field) =>
    ofField(document, field).map(([name, json]) => [
      `${field.path.join('.')}: ${name}`,
      () => withField(document, operation, field.path, json()),
    ]),
  );
  return [...foreign(document, operation), ...own, ...ofInnerLists(document, operation)].map(
    ([name, make]) => ({
      name,
      get body() {
        return make();
      },
    }),
  );
}

/** Returns, for each field, its schema, and a body in which the value of the field is null. */
export function nullShapes(document, operation) {
  return fieldsOf(document, operation.schema).map(({ path, schema }) => ({
    name: path.join('.'),
    schema,
    body: withField(document, operation, path, 'null'),
  }));
}
