/**
 * One object of libpg-query's JSON. Its shape is always checked, never assumed, so that an unlisted node
 * cannot hide anything.
 */
export type TreeNode = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field if it is an object; otherwise an empty object. */
export function field(node: TreeNode, name: string): TreeNode {
  const value = node[name];
  return isNode(value) ? value : {};
}

/** The elements of an array or of a `List` node; empty for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isNode(value)) return [];
  const items = field(value, 'List')['items'];
  return Array.isArray(items) ? items : [];
}

export function nodeText(node: TreeNode, name: string): string | undefined {
  const value = node[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the text of `{ String: { sval } }`. The parser omits an empty `sval`. */
export function stringNode(value: unknown): string | undefined {
  if (!isNode(value) || !isNode(value['String'])) return undefined;
  return nodeText(value['String'], 'sval') ?? '';
}

/**
 * Returns the parts of a dotted name, outermost first, from one `String` node or a list of them; undefined
 * for anything else.
 */
export function dottedName(value: unknown): readonly string[] | undefined {
  const single = stringNode(value);
  if (single !== undefined) return [single];
  const names: string[] = [];
  for (const item of listOf(value)) {
    const name = stringNode(item);
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names.length === 0 ? undefined : names;
}

/** Returns the options of a statement (`name = argument`) from a field that lists them. */
export function defElems(value: unknown): readonly { readonly name: string; readonly arg: unknown }[] {
  return listOf(value).flatMap((item) => {
    if (!isNode(item) || !isNode(item['DefElem'])) return [];
    return [{ name: nodeText(item['DefElem'], 'defname') ?? '', arg: item['DefElem']['arg'] }];
  });
}

/**
 * Returns the text of a constant, also inside casts; undefined if the value is known only at run time.
 * @param facts marked as dependent on constants, so that they are not reused for a text with other constants
 */
export function constantText(value: unknown, facts: { dependsOnConstants: boolean }): string | undefined {
  facts.dependsOnConstants = true;
  if (!isNode(value)) return undefined;
  if (isNode(value['TypeCast'])) return constantText(value['TypeCast']['arg'], facts);
  const constant = value['A_Const'];
  if (!isNode(constant)) return undefined;
  if (isNode(constant['sval'])) return nodeText(constant['sval'], 'sval') ?? '';
  if (isNode(constant['boolval'])) return constant['boolval']['boolval'] === true ? 'true' : 'false';
  if (!isNode(constant['ival'])) return undefined;
  const number = constant['ival']['ival'];
  return typeof number === 'number' ? number.toString() : '0';
}
