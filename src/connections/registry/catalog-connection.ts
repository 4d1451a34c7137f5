import { catalogEntries } from '../catalog/catalog-entries';
import { quotedName } from '../../platform/http/dto/fault-message';
import { AppError } from '../../kernel/app-error';
import type { ConnectionBody } from './connection.dto';

/** Type and subtype of connections to servers of the catalog (specification, section 2.1). */
const TYPE = 'application';
const SUBTYPE = 'mcpproxy';

/** A connection body with all required fields, from its author or from the catalog. */
export type CompleteBody = ConnectionBody & Required<Pick<ConnectionBody, 'type' | 'subtype' | 'secret'>>;

/**
 * Fills fields that the body omits from its catalog entry: kind, address, transport and auth mode. Does not
 * fill a field that the body sets, or a field with a stored value that the body sends empty to keep it.
 * @param stored names in the secret of the connection that is replaced
 * @throws AppError `unprocessable` for an entry that does not exist.
 */
export function filledFromCatalog(body: ConnectionBody, stored: readonly string[] = []): CompleteBody {
  const { catalog, type = TYPE, subtype = SUBTYPE, secret = {} } = body;
  if (catalog === undefined || catalog === null) return { ...body, type, subtype, secret };
  const entry = catalogEntries.get(catalog);
  if (entry === undefined)
    throw new AppError('unprocessable', `catalog: there is no entry named ${quotedName(catalog)}`);
  const filled = { REMOTE_URL: entry.url, MCP_TRANSPORT: entry.transport, MCP_AUTH: entry.auth };
  const isKept = (name: string): boolean => secret[name] === '' && stored.includes(name);
  const missing = Object.entries(filled).filter(
    ([name]) => !secret[name] && !secret[`envvar:${name}`] && !isKept(name),
  );
  return { ...body, type, subtype, secret: { ...secret, ...Object.fromEntries(missing) } };
}

/** Warns if a connection to a server of the catalog lacks the header that the server requires. */
export function catalogWarnings(catalog: string | null, secretNames: readonly string[]): string[] {
  const entry = catalog === null ? undefined : catalogEntries.get(catalog);
  const isWithout = !secretNames.some((name) => name.startsWith('HEADER_'));
  return entry?.auth === 'static' && isWithout
    ? [
        `the server of this catalog entry wants the header "${entry.header}", which secret.${secretNameOf(entry.header)} sets`,
      ]
    : [];
}

/** Returns the secret field name that sets an HTTP header. In the name, `_` replaces `-`. */
function secretNameOf(header: string): string {
  return `HEADER_${header.slice(0, header.indexOf(':')).replaceAll('-', '_')}`;
}
