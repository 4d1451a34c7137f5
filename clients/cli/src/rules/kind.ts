import type { z } from 'zod';
import type { Section, Wanted } from './policy-file.js';

/** An object, such as a guardrail, as the gateway stores it. */
export interface Known {
  /** Identifier in the API. */
  readonly id: string;
  readonly fields: Wanted;
  /** External system that manages the object; null for none. The API cannot change a managed object. */
  readonly managedBy: string | null;
}

/** An object with the version in which it was read. */
export interface Versioned extends Known {
  /** Value for the header `If-Match`. */
  readonly etag: string;
}

/** An object after it was written. */
export interface Stored {
  readonly fields: Wanted;
  /** Warnings of the gateway for the author of the object. */
  readonly warnings: readonly string[];
}

/** Reads and writes objects of one kind. All methods throw GatewayFault. */
export interface Kind {
  readonly section: Section;
  /** Name of one object in messages. */
  readonly label: string;
  /** Values for fields that a file omits. Undefined: the update keeps the stored values of omitted fields. */
  readonly defaults?: Wanted;
  all(): Promise<readonly Known[]>;
  read(id: string): Promise<Versioned>;
  /** Checks that the objects named in `wanted` exist. @throws CommandFault */
  readonly check?: (wanted: Wanted) => void;
  /** Undefined when files cannot create objects of this kind. */
  readonly create?: (wanted: Wanted) => Promise<Stored>;
  readonly update: (known: Versioned, wanted: Wanted) => Promise<Stored>;
  /** Undefined when files cannot delete objects of this kind. */
  readonly remove?: (known: Versioned) => Promise<void>;
}

/** Selects the fields of an API answer that files may contain. */
export function fieldsIn(
  view: { readonly name: string },
  { shape }: { readonly shape: z.ZodRawShape },
): Wanted {
  const own = Object.entries(view).filter(([field]) => Object.hasOwn(shape, field));
  return { name: view.name, ...Object.fromEntries(own) };
}

/** Collects all items of a paginated list. */
export async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
