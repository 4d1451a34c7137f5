import { SCHEMA_VERSION } from './database/schema-version';
import { API_VERSION } from './kernel/api-version';
import { PROGRAM_VERSION } from './kernel/program-version';

/** The versions of this program, as one line. */
export function versionText(): string {
  return `access-gateway ${PROGRAM_VERSION}, API ${API_VERSION}, schema ${SCHEMA_VERSION}`;
}
