import type { z } from 'zod';
import type { Section, Wanted } from './policy-file.js';

/** A thing, as the gateway has it. */
export interface Known {
  /** By which the API knows it. */
  readonly id: string;
  readonly fields: Wanted;
  /** External manager of the object; then nobody can change it by the API. Null: none. */
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
  /** Warnings of the gateway for its author. */
  readonly warnings: readonly string[];
}

/** Reads and writes objects of one kind. All methods throw GatewayFault. */
export interface Kind {
  readonly section: Section;
  /** Name of one object in messages. */
  readonly label: string;
  /** Values of fields that a file omits; undefined when such fields are left alone. */
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

/** Collects all items of a list with pages. */
export async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
