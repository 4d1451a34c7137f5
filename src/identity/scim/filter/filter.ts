import type { AttributePath } from '../schema/attribute-path';

export const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof OPERATORS)[number];

/**
 * A parsed filter (RFC 7644, section 3.4.2.2). Its attributes are those of the schema, and its values have
 * the types of the attributes.
 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | {
      readonly kind: 'compare';
      readonly path: AttributePath;
      readonly operator: Operator;
      readonly value: string | boolean;
    }
  /** True when one value of a multi-valued attribute fulfills `part`. Paths in `part` begin at that value. */
  | { readonly kind: 'within'; readonly path: AttributePath; readonly part: Filter };

/** Number of comparisons in a filter: the cost of evaluating it once. */
export function comparisonsIn(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.reduce((sum, part) => sum + comparisonsIn(part), 0);
    case 'not':
    case 'within':
      return comparisonsIn(filter.part);
    case 'present':
    case 'compare':
      return 1;
  }
}

/** Lowercases only ASCII letters, like `lower(… COLLATE "C")`, so that filters match as in the database. */
export function folded(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}
