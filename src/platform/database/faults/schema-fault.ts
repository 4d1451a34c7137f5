import type { DataSource } from 'typeorm';

/** Whether the database's schema is newer or older than this program. */
export type SchemaAge = 'newer' | 'older';

type Explain = (error: unknown) => Promise<void>;

const explanations = new WeakMap<DataSource, Explain>();
const explained = new WeakMap<object, SchemaAge>();

/** Sets the function that examines each failed statement before the caller gets its error. */
export function explainFaults(dataSource: DataSource, explain: Explain): void {
  explanations.set(dataSource, explain);
}

/**
 * Waits until the function of `explainFaults` has examined the error. Then throws the same error object,
 * because callers compare its code.
 */
export async function throwExplained(dataSource: DataSource, error: unknown): Promise<never> {
  await explanations.get(dataSource)?.(error);
  throw error;
}

/** Stores that a statement failed because the schema of the database is older or newer than this program. */
export function noteSchemaFault(error: Error, age: SchemaAge): void {
  explained.set(error, age);
}

/** Age of the schema that caused the error; undefined for errors with another cause. */
export function schemaFaultOf(error: unknown): SchemaAge | undefined {
  return typeof error === 'object' && error !== null ? explained.get(error) : undefined;
}
