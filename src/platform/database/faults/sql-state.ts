import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/** The SQLSTATE of a failed statement; undefined for errors that do not come from the server. */
export function sqlStateOfError(error: unknown): string | undefined {
  if (error instanceof QueryFailedError) return sqlStateOfError(error.driverError);
  return error instanceof DatabaseError ? error.code : undefined;
}
