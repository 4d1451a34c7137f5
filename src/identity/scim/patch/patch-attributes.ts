import { type Filter, comparisonsIn } from '../filter/filter';
import { matches } from '../filter/matches';
import { type AttributeValue, type Attributes, isRecord } from '../values/attributes';
import { MAX_ELEMENTS, readResource, readValue } from '../values/read-resource';
import type { ResourceType } from '../schema/attribute';
import { schemaOf } from '../schema/attribute-path';
import { ScimFault, invalidPath, invalidValue } from '../values/scim-fault';
import { type PatchTarget, resolvePatchPath } from './patch-path';
import type { PatchOperation } from './patch-request';

/**
 * Maximum number of comparisons in all filters of one PATCH, because each comparison is evaluated for every
 * value of an attribute. Providers send one comparison for each operation.
 */
const MAX_COMPARISONS = 200;

type Op = PatchOperation['op'];
type Writable = Record<string, AttributeValue>;

/**
 * Returns the attributes after a PATCH; `before` is not changed. Refuses a path to an attribute that is
 * read-only or not in the schema. In the value of an operation without a path, such attributes are ignored.
 * @throws ScimFault
 */
export function patchAttributes(
  type: ResourceType,
  before: Attributes,
  operations: readonly PatchOperation[],
): Attributes {
  const after = structuredClone<Writable>(before);
  let comparisons = 0;
  for (const { op, path, value } of operations) {
    if (path === undefined) {
      applyAll(type, after, op, value);
      continue;
    }
    const target = resolvePatchPath(type, path);
    if (target === 'forgotten') continue;
    comparisons += target?.filter === undefined ? 0 : comparisonsIn(target.filter);
    if (comparisons > MAX_COMPARISONS)
      throw invalidPath(`the paths of a PATCH may have ${MAX_COMPARISONS} comparisons at most`);
    applyAt(type, after, op, path, target, value);
  }
  return readResource(type, after);
}

function applyAt(
  type: ResourceType,
  after: Writable,
  op: Op,
  path: string,
  target: PatchTarget | undefined,
  value: unknown,
): void {
  if (target !== undefined) return applyTo(after, op, target, value);
  // A path that is only the URN of an extension means all attributes of the extension.
  const extension = schemaOf(type, path);
  if (extension === undefined || extension === type.schema)
    throw invalidPath(`${type.name} has no attribute ${path.slice(0, 128)}`);
  if (op === 'remove') delete after[extension.id];
  else applyAll(type, after, op, { [extension.id]: value });
}

/**
 * Applies an operation without a path: `value` names the attributes. Entra also uses paths as names:
 * `"name.givenName": "Ada"`.
 */
function applyAll(type: ResourceType, after: Writable, op: Op, value: unknown): void {
  if (op === 'remove') throw new ScimFault(400, 'remove needs a path', 'noTarget');
  if (!isRecord(value)) throw invalidValue('without a path, the value must be an object');
  for (const [name, part] of Object.entries(value)) {
    const extension = name.includes(':') ? schemaOf(type, name) : undefined;
    if (extension !== undefined && extension !== type.schema) {
      if (op === 'replace' && part === null) delete after[extension.id];
      else if (!isRecord(part)) throw invalidValue(`${extension.name} must be an object`);
      else
        for (const [sub, own] of Object.entries(part))
          applyKnown(type, after, op, `${extension.id}:${sub}`, own);
    } else applyKnown(type, after, op, name, part);
  }
}

function applyKnown(type: ResourceType, after: Writable, op: Op, path: string, value: unknown): void {
  const target = resolvePatchPath(type, path);
  if (target === undefined || target === 'forgotten' || isReadOnly(target)) return;
  applyTo(after, op, target, value);
}

function isReadOnly({ attribute, sub }: PatchTarget): boolean {
  return attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly';
}

function applyTo(after: Writable, op: Op, target: PatchTarget, value: unknown): void {
  const { attribute, extension } = target;
  if (isReadOnly(target)) throw new ScimFault(400, `${attribute.name} is read-only`, 'mutability');
  if (op === 'remove' && attribute.required === true)
    throw new ScimFault(400, `${attribute.name} is required`, 'mutability');
  const container = extension === undefined ? after : { ...(after[extension] as Attributes | undefined) };
  const changed =
    attribute.multiValued === true
      ? changedList(container[attribute.name] as readonly Attributes[] | undefined, op, target, value)
      : changedSingle(container[attribute.name], op, target, value);
  if (changed === undefined) delete container[attribute.name];
  else container[attribute.name] = changed;
  if (extension === undefined) return;
  if (Object.keys(container).length === 0) delete after[extension];
  else after[extension] = container;
}

/** Returns the changed value. Keeps sub-attributes that `value` omits (RFC 7644, 3.5.2.1 and 3.5.2.3). */
function changedSingle(
  before: AttributeValue | undefined,
  op: Op,
  { attribute, sub }: PatchTarget,
  value: unknown,
): AttributeValue | undefined {
  if (attribute.type !== 'complex') return op === 'remove' ? undefined : readValue(attribute, value);
  const parts: Writable = { ...(before as Attributes | undefined) };
  // RFC 7643, section 2.5: null is the same as no value.
  if (sub === undefined && (op === 'remove' || (op === 'replace' && value === null))) return undefined;
  if (sub !== undefined) setPart(parts, sub.name, op === 'remove' ? undefined : readValue(sub, value));
  else {
    if (!isRecord(value)) throw invalidValue(`${attribute.name} must be an object`);
    for (const part of attribute.subAttributes ?? []) {
      const key = Object.keys(value).find((name) => name.toLowerCase() === part.name.toLowerCase());
      if (key !== undefined) setPart(parts, part.name, readValue(part, value[key]));
    }
  }
  return Object.keys(parts).length === 0 ? undefined : parts;
}

function setPart(parts: Writable, name: string, value: AttributeValue | undefined): void {
  if (value === undefined) delete parts[name];
  else parts[name] = value;
}

function changedList(
  before: readonly Attributes[] = [],
  op: Op,
  target: PatchTarget,
  value: unknown,
): AttributeValue | undefined {
  const after =
    target.filter === undefined && target.sub === undefined
      ? wholeList(before, op, target, value)
      : selected(before, op, target, value);
  if (after.length > MAX_ELEMENTS)
    throw invalidValue(`${target.attribute.name} may have ${MAX_ELEMENTS} values at most`);
  return after.length === 0 ? undefined : onePrimary(before, after);
}

function wholeList(
  before: readonly Attributes[],
  op: Op,
  { attribute }: PatchTarget,
  value: unknown,
): readonly Attributes[] {
  const given = (readValue(attribute, value) ?? []) as readonly Attributes[];
  const isGiven = (element: Attributes): boolean => given.some((one) => one['value'] === element['value']);
  if (op === 'replace') return given;
  // In `value`, Entra lists the elements that the operation removes.
  if (op === 'remove') return given.length === 0 ? [] : before.filter((element) => !isGiven(element));
  return [...before.filter((element) => !isGiven(element)), ...given];
}

function selected(
  before: readonly Attributes[],
  op: Op,
  { attribute, sub, filter }: PatchTarget,
  value: unknown,
): Attributes[] {
  const isMeant = (element: Attributes): boolean => filter === undefined || matches(filter, element, true);
  if (op === 'remove')
    return before.flatMap((element) => {
      if (!isMeant(element)) return [element];
      if (sub === undefined) return [];
      const { [sub.name]: _, ...rest } = element;
      return 'value' in rest ? [rest] : [];
    });
  const change = (element: Attributes): Attributes[] => {
    const whole = changedSingle(
      element,
      op,
      { extension: undefined, attribute, sub, filter: undefined },
      value,
    );
    return isRecord(whole) ? [whole] : [];
  };
  if (before.some(isMeant))
    return before.flatMap((element) => (isMeant(element) ? change(element) : [element]));
  // Entra sends `replace` for `emails[type eq "work"].value` even if a person has no work address yet.
  const start = filter === undefined ? {} : equalities(filter);
  if (start === undefined)
    throw new ScimFault(400, `no value of ${attribute.name} fulfils the filter`, 'noTarget');
  return [...before, ...change(start)];
}

/**
 * Returns the element that a filter with only `eq` and `and` describes, such as
 * `type eq "work" and primary eq true`; undefined for other filters.
 */
function equalities(filter: Filter): Attributes | undefined {
  if (filter.kind === 'compare')
    return filter.operator === 'eq' && filter.path.sub !== undefined
      ? { [filter.path.sub.name]: filter.value }
      : undefined;
  if (filter.kind !== 'and') return undefined;
  const parts = filter.parts.map(equalities);
  return parts.includes(undefined) ? undefined : (Object.assign({}, ...parts) as Attributes);
}

/** Keeps at most one primary value: the one that became primary last (RFC 7644, section 3.5.2). */
function onePrimary(before: readonly Attributes[], after: readonly Attributes[]): readonly Attributes[] {
  const primary = after.filter((element) => element['primary'] === true);
  if (primary.length < 2) return after;
  const kept = primary.findLast((element) => !before.includes(element)) ?? primary.at(-1);
  return after.map((element) =>
    element['primary'] === true && element !== kept ? { ...element, primary: false } : element,
  );
}
