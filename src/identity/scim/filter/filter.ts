import type { AttributePath } from '../schema/attribute-path';

export const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof OPERATORS)[number];

/**
 * A filter (RFC 7644, section 3.4.2.2), with its attributes found in the schema and its values of their type.
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
  /** One value of a multi-valued attribute fulfils all of it; the paths in it begin at that value. */
  | { readonly kind: 'within'; readonly path: AttributePath; readonly part: Filter };

/** Number of values that a filter looks at: the cost of trying it once. */
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

/** ASCII alone, as `lower(… COLLATE "C")` does it, so that memory and database agree about every text. */
export function folded(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}
