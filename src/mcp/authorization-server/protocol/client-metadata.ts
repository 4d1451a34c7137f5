import { visibleName } from '../../../kernel/text/names';
import { OAuthFault } from './oauth-fault';
import { isRedirectUri } from './redirect-uri';

const MAX_NAME = 100;
const MAX_REDIRECT_URIS = 20;

/** Data that the authorization server has about a client. */
export interface Client {
  readonly id: string;
  /** Name that the client gives itself; not verified. */
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/**
 * Reads the metadata of a client (RFC 7591, section 2), from a registration or from its metadata document.
 * Unknown fields are ignored.
 * @throws OAuthFault `invalid_client_metadata`, `invalid_redirect_uri`
 */
export function readMetadata(metadata: unknown): Pick<Client, 'name' | 'redirectUris'> {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    throw new OAuthFault('invalid_client_metadata', 'the metadata must be a JSON object');
  const fields = new Map<string, unknown>(Object.entries(metadata));
  requireSome(fields, 'grant_types', 'authorization_code');
  requireSome(fields, 'response_types', 'code');
  return {
    name: nameIn(fields.get('client_name')),
    redirectUris: redirectUrisIn(fields.get('redirect_uris')),
  };
}

/**
 * Requires that the field contains `supported`, or is missing: its default is supported (RFC 7591, section
 * 2).
 */
function requireSome(fields: ReadonlyMap<string, unknown>, field: string, supported: string): void {
  const value = fields.get(field);
  if (value === undefined || (Array.isArray(value) && value.includes(supported))) return;
  throw new OAuthFault('invalid_client_metadata', `${field} must be an array that contains ${supported}`);
}

/** Returns the name without invisible characters, so that it cannot look like another name. */
function nameIn(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string')
    throw new OAuthFault('invalid_client_metadata', 'client_name must be a text');
  return visibleName(value.slice(0, MAX_NAME).toWellFormed());
}

function redirectUrisIn(value: unknown): string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_REDIRECT_URIS;
  if (!isList)
    throw new OAuthFault(
      'invalid_redirect_uri',
      `redirect_uris must be an array of 1 to ${MAX_REDIRECT_URIS}`,
    );
  const uris = value.filter((uri): uri is string => typeof uri === 'string' && isRedirectUri(uri));
  if (uris.length < value.length)
    throw new OAuthFault(
      'invalid_redirect_uri',
      'each of redirect_uris must be https, http on 127.0.0.1, [::1] or localhost, or have the private-use scheme of an application (cursor://…), without user and fragment',
    );
  return uris;
}
