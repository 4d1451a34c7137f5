import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/** The SQLSTATE with which the server refused a statement; undefined for faults that are not the server's. */
export function sqlStateOfError(error: unknown): string | undefined {
  if (error instanceof QueryFailedError) return sqlStateOfError(error.driverError);
  return error instanceof DatabaseError ? error.code : undefined;
}
