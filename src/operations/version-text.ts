import { SCHEMA_VERSION } from '../platform/database/schema/schema-version';
import { API_VERSION } from '../platform/config/api-version';
import { PROGRAM_VERSION } from '../kernel/runtime/program-version';

/** The versions of this program, as one line. */
export function versionText(): string {
  return `access-gateway ${PROGRAM_VERSION}, API ${API_VERSION}, schema ${SCHEMA_VERSION}`;
}
