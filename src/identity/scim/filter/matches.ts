import type { AttributePath } from '../schema/attribute-path';
import { type AttributeValue, type Attributes, isRecord } from '../values/attributes';
import { type Filter, type Operator, folded } from './filter';

/**
 * Whether a resource, or one value of a multi-valued attribute, fulfills a filter. For an attribute with
 * several values, a comparison is true when it is true for one of the values; `ne` is the negation of `eq`.
 * `filter-sql.ts` evaluates filters in the database by the same rules.
 */
export function matches(filter: Filter, values: Attributes, isElement = false): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, values, isElement));
    case 'or':
      return filter.parts.some((part) => matches(part, values, isElement));
    case 'not':
      return !matches(filter.part, values, isElement);
    case 'within':
      return valuesAt(values, filter.path).some(
        (element) => isRecord(element) && matches(filter.part, element, true),
      );
    case 'present':
      return found(values, filter.path, isElement).length > 0;
    case 'compare': {
      const { path, operator, value } = filter;
      const all = found(values, path, isElement);
      const isNegated = operator === 'ne';
      const holds = all.some((one) => compares(path, isNegated ? 'eq' : operator, one, value));
      return holds !== isNegated;
    }
  }
}

function found(values: Attributes, path: AttributePath, isElement: boolean): AttributeValue[] {
  if (!isElement) return valuesAt(values, path);
  const value = path.sub === undefined ? undefined : values[path.sub.name];
  return value === undefined ? [] : [value];
}

function valuesAt(values: Attributes, { extension, attribute, sub }: AttributePath): AttributeValue[] {
  const container = extension === undefined ? values : values[extension];
  const value = isRecord(container) ? container[attribute.name] : undefined;
  const all = value === undefined ? [] : Array.isArray(value) ? (value as readonly Attributes[]) : [value];
  if (sub === undefined) return [...all];
  return all.flatMap((one) => {
    const part = isRecord(one) ? one[sub.name] : undefined;
    return part === undefined ? [] : [part];
  });
}

function compares(
  { attribute, sub }: AttributePath,
  operator: Exclude<Operator, 'ne'>,
  actual: AttributeValue,
  wanted: string | boolean,
): boolean {
  if (typeof actual !== typeof wanted) return false;
  if (typeof actual !== 'string' || typeof wanted !== 'string') return actual === wanted;
  const { type, caseExact } = sub ?? attribute;
  if (type === 'dateTime') return ordered(operator, Date.parse(actual) - Date.parse(wanted));
  const [text, other] = caseExact === true ? [actual, wanted] : [folded(actual), folded(wanted)];
  if (operator === 'co') return text.includes(other);
  if (operator === 'sw') return text.startsWith(other);
  if (operator === 'ew') return text.endsWith(other);
  // Compares UTF-8 bytes. Their order is that of code points, unlike the order of UTF-16 code units.
  return ordered(operator, Buffer.compare(Buffer.from(text), Buffer.from(other)));
}

const HOLDS: Readonly<Partial<Record<Operator, (difference: number) => boolean>>> = {
  eq: (difference) => difference === 0,
  gt: (difference) => difference > 0,
  ge: (difference) => difference >= 0,
  lt: (difference) => difference < 0,
  le: (difference) => difference <= 0,
};

function ordered(operator: Operator, difference: number): boolean {
  return HOLDS[operator]?.(difference) === true;
}
