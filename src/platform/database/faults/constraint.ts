import { QueryFailedError } from 'typeorm';

/** SQLSTATEs that services translate into plain messages. */
export const UNIQUE_VIOLATION = '23505';
export const FOREIGN_KEY_VIOLATION = '23503';
export const CHECK_VIOLATION = '23514';

/** Returns the name of the violated constraint if the error has this SQLSTATE. */
export function brokenConstraint(error: unknown, sqlState: string): string | undefined {
  if (!(error instanceof QueryFailedError)) return undefined;
  const driver = error.driverError as { code?: string; constraint?: string };
  return driver.code === sqlState ? driver.constraint : undefined;
}

/** Whether a statement failed because of a NUL character in a text, which PostgreSQL cannot store. */
export function isUnstorable(error: unknown): boolean {
  return error instanceof QueryFailedError && (error.driverError as { code?: string }).code === '22021';
}
