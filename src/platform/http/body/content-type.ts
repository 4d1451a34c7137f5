import { EdgeFault } from '../edge/edge-fault';

const JSON_TYPE = 'application/json';
/** Content type of merge patches (RFC 7396). Every PATCH of this API is a merge patch. */
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';
/** JSON is UTF-8 (RFC 8259, section 8.1), of which ASCII is a subset. */
const CHARSETS = new Set(['utf-8', 'utf8', 'us-ascii']);

export function bodyTypes(method: string): readonly string[] {
  return method === 'PATCH' ? [JSON_TYPE, MERGE_PATCH_TYPE] : [JSON_TYPE];
}

/** Refuses a body that is not JSON. @throws EdgeFault 415 for another type or charset, or no type. */
export function requireJson(
  method: string,
  contentType: string | undefined,
  types: readonly string[] = bodyTypes(method),
): void {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (!types.includes(type)) {
    throw new EdgeFault(415, `the request body must be sent as Content-Type: ${types.join(' or ')}`, {
      [method === 'PATCH' ? 'Accept-Patch' : 'Accept']: types.join(', '),
    });
  }
  const charset = parameters
    .map((parameter) => /^charset="?([^"]*)"?$/.exec(parameter)?.[1])
    .find((name) => name !== undefined);
  if (charset !== undefined && !CHARSETS.has(charset))
    throw new EdgeFault(415, 'the request body must be in the charset UTF-8');
}
