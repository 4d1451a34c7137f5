/** Returns the faults of an API description by one rule; empty if it obeys the rule. */
export type DescriptionRule = (description: Description) => string[];

type Node = Readonly<Record<string, unknown>>;

export interface Description {
  readonly tags?: readonly { name: string; description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Node>> } & Node;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { name: string; description?: string }[];
  readonly requestBody?: { readonly description?: string; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

interface Media {
  readonly schema?: Node;
  readonly example?: unknown;
}

const MAX_INT32 = 2_147_483_647;
const DATA = new Set(['example', 'examples', 'enum', 'default']);

/** Forbidden schema names: code generators use them for their own classes, or languages for their types. */
const TAKEN =
  /^(New|Nullable|Inline)|(AllOf|AnyOf|OneOf|Inner|Params|Response|Request|JSONBody|RequestBody)$|^(Api(Client|Error|Exception)?|Array|Boolean|Class|Client|Configuration|Data|Date|DateTime|Error|Exception|File|Function|Integer|List|Map|Model|Number|Object|Option|Promise|Record|Set|String|Type|Void)$/;

export const rules: Readonly<Record<string, DescriptionRule>> = {
  'alternatives are objects: clients have no type that is a text or a number': (description) =>
    found(description, ({ oneOf, anyOf }) =>
      [oneOf, anyOf].some((branches) => Array.isArray(branches) && !branches.every((b: Node) => '$ref' in b)),
    ),
  '`nullable` stands beside the type that it widens': (description) =>
    found(description, (node) => {
      const { nullable, type, $ref, allOf } = node;
      return nullable === true && (typeof type !== 'string' || $ref !== undefined || allOf !== undefined);
    }),
  'an enumeration that may be null names null': (description) =>
    found(
      description,
      (node) => node['nullable'] === true && Array.isArray(node['enum']) && !node['enum'].includes(null),
    ),
  'an object says what it holds: else a type was forgotten': (description) =>
    found(
      description,
      ({ type, properties, additionalProperties }) =>
        type === 'object' && properties === undefined && additionalProperties === undefined,
    ),
  'nothing stands beside a reference': (description) =>
    found(description, (node) => typeof node['$ref'] === 'string' && Object.keys(node).length > 1),
  'an integer that has no format fits into 32 bits': (description) =>
    found(
      description,
      ({ type, format, maximum }) =>
        type === 'integer' && format === undefined && !((maximum as number) <= MAX_INT32),
    ),
  'a required property is described': (description) =>
    found(description, ({ required, properties = {} }) =>
      Array.isArray(required) ? required.some((name: string) => !(name in (properties as Node))) : false,
    ),
  'an object that may be null is not required: a Java client refuses it': (description) =>
    found(description, ({ required, properties }) =>
      Object.entries((properties ?? {}) as Record<string, Node>).some(
        ([name, property]) =>
          Array.isArray(required) && required.includes(name) && isNullableReference(description, property),
      ),
    ),
  'an enumeration with null is not required: the C# client has no null in its type': (description) =>
    found(description, ({ required, properties }) =>
      Object.entries((properties ?? {}) as Record<string, Node>).some(
        ([name, property]) =>
          Array.isArray(required) &&
          required.includes(name) &&
          property['nullable'] === true &&
          Array.isArray(property['enum']),
      ),
    ),
  'no name of a schema is taken by a generator or a language': ({ components }) =>
    Object.keys(components.schemas).filter((name) => TAKEN.test(name) || !/^[A-Z][A-Za-z0-9]+$/.test(name)),
  'names of schemas and operations differ by more than case': (description) =>
    twice([
      ...Object.keys(description.components.schemas),
      ...operationsOf(description).map(({ operationId }) => operationId),
    ]),
  'the properties of a schema differ as camelCase too': ({ components }) =>
    Object.entries(components.schemas).flatMap(([name, { properties }]) =>
      twice(Object.keys(properties ?? {}).map((property) => property.replaceAll(/[^A-Za-z0-9]/g, ''))).map(
        (property) => `${name}.${property}`,
      ),
    ),
  'a body has one media type, plain JSON: progenitor refuses two, and others choose the first': (
    description,
  ) =>
    operationsOf(description)
      .filter(({ requestBody }) => requestBody !== undefined)
      .filter(({ requestBody }) => Object.keys(requestBody?.content ?? {}).join() !== 'application/json')
      .map(({ operationId }) => operationId),
  'a merge patch says in words that it may be sent as what it is': ({ paths }) =>
    Object.values(paths).flatMap((methods) =>
      Object.entries(methods)
        .filter(([, { requestBody }]) => requestBody !== undefined)
        .filter(
          ([method, { requestBody }]) =>
            (method === 'patch') !==
            (requestBody?.description ?? '').includes('application/merge-patch+json'),
        )
        .map(([, { operationId }]) => operationId),
    ),
  'an enumeration has no empty text: a Rust client has no name for it': (description) =>
    found(description, (node) => Array.isArray(node['enum']) && node['enum'].includes('')),
  'the successes of an operation have one content: clients know one type': (description) =>
    operationsOf(description)
      .filter((operation) => new Set(successContents(operation)).size > 1)
      .map(({ operationId }) => operationId),
  'each operation has a summary, a description and one tag that is described': (description) =>
    operationsOf(description)
      .filter(({ summary = '', description: said = '', tags = [] }) => {
        const known = description.tags?.find(({ name }) => name === tags[0])?.description ?? '';
        return summary === '' || said === '' || tags.length !== 1 || known === '';
      })
      .map(({ operationId }) => operationId),
  'each parameter has a description': (description) =>
    operationsOf(description).flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ description: said = '' }) => said === '')
        .map(({ name }) => `${operationId} ${name}`),
    ),
  'each body has an example, and is closed': (description) =>
    operationsOf(description)
      .filter(({ requestBody }) =>
        Object.values(requestBody?.content ?? {}).some(({ schema, example }) => {
          const body = resolved(description, schema ?? {});
          return example === undefined || !('additionalProperties' in body);
        }),
      )
      .map(({ operationId }) => operationId),
};

function operationsOf({ paths }: Description): DescribedOperation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** Returns media types and schemas of each successful response, as JSON: `[]` if it has no body. */
function successContents({ responses }: DescribedOperation): string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content = {} }]) =>
      JSON.stringify(Object.entries(content).map(([type, { schema }]) => [type, schema])),
    );
}

function resolved({ components }: Description, node: Node): Node {
  const name = ((node['$ref'] ?? '') as string).split('/').at(-1) ?? '';
  return components.schemas[name] ?? node;
}

function isNullableReference(description: Description, property: Node): boolean {
  const [only] = (property['allOf'] ?? []) as Node[];
  return (
    resolved(description, only ?? property)['nullable'] === true && (only ?? property)['$ref'] !== undefined
  );
}

function twice(names: readonly string[]): string[] {
  const lower = names.map((name) => name.toLowerCase());
  return names.filter((_, index) => lower.indexOf(lower[index] ?? '') !== index);
}

/** Returns the paths of the nodes of the description for which `isSo` is true. */
function found(description: object, isSo: (node: Node) => boolean): string[] {
  const places: string[] = [];
  const visit = (node: unknown, place: string) => {
    if (typeof node !== 'object' || node === null) return;
    if (!Array.isArray(node) && isSo(node as Node)) places.push(place);
    for (const [key, value] of Object.entries(node)) if (!DATA.has(key)) visit(value, `${place}/${key}`);
  };
  visit(description, '');
  return places;
}
