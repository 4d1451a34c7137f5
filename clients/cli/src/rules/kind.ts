import type { z } from 'zod';
import type { Section, Wanted } from './policy-file.js';

/** A thing, as the gateway has it. */
export interface Known {
  /** By which the API knows it. */
  readonly id: string;
  readonly fields: Wanted;
  /** What else changes it; then nobody can by the API. Null: nothing. */
  readonly managedBy: string | null;
}

/** The same in one version. */
export interface Versioned extends Known {
  /** For `If-Match`. */
  readonly etag: string;
}

/** A thing that was written. */
export interface Stored {
  readonly fields: Wanted;
  /** What its author should know, as the gateway says it. */
  readonly warnings: readonly string[];
}

/** How things of one kind are read and written. All throw GatewayFault. */
export interface Kind {
  readonly section: Section;
  /** As messages call one of them. */
  readonly label: string;
  /** What a field has that is not given; undefined where such a field is left alone. */
  readonly defaults?: Wanted;
  all(): Promise<readonly Known[]>;
  read(id: string): Promise<Versioned>;
  /** Fails where the wanted names what is not there. @throws CommandFault */
  readonly check?: (wanted: Wanted) => void;
  /** Undefined where files cannot make one. */
  readonly create?: (wanted: Wanted) => Promise<Stored>;
  readonly update: (known: Versioned, wanted: Wanted) => Promise<Stored>;
  /** Undefined where files cannot delete one. */
  readonly remove?: (known: Versioned) => Promise<void>;
}

/** The fields of an answer that files have. */
export function fieldsIn(
  view: { readonly name: string },
  { shape }: { readonly shape: z.ZodRawShape },
): Wanted {
  const own = Object.entries(view).filter(([field]) => Object.hasOwn(shape, field));
  return { name: view.name, ...Object.fromEntries(own) };
}

/** Of a list with pages. */
export async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
