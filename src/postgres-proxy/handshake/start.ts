import { normalizedName } from '../../kernel/names';
import { negotiateProtocolVersion } from '../wire/start-up-answers';
import type { StartUp } from '../wire/start-up-packet';
import { refusal } from './refusal';

const NEWEST_MINOR = 2;
const TAKEN_ENCODINGS: ReadonlySet<string> = new Set(['utf8', 'unicode', 'sqlascii']);
/** As a server reads booleans: any beginning of these words that fits no other. */
const NO_WORD = /^(f|fa|fal|fals|false|n|no|of|off|0)$/i;

/** Who a client says it is, and where it wants to go. */
export interface Start {
  readonly user: string;
  /** undefined: not said; a server would take the user's name. */
  readonly database: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
  readonly protocolMinor: 0 | 2;
  /** NegotiateProtocolVersion, where the client asked for more than is spoken. */
  readonly answer: Buffer | undefined;
}

/** What a StartupMessage asks for. @throws Refusal for what is not spoken here. */
export function startOf({ minor, parameters, protocolOptions }: StartUp): Start {
  const protocolMinor = minor >= NEWEST_MINOR ? NEWEST_MINOR : 0;
  const rest = new Map(parameters);
  const take = (name: string): string => {
    const value = rest.get(name) ?? '';
    rest.delete(name);
    return value;
  };
  const user = take('user');
  // Names of connections are stored in this form.
  const database = normalizedName(take('database'));
  const replication = take('replication');
  if (user === '') throw refusal('no_user', '28000', 'The start-up packet names no user.');
  if (replication !== '' && !NO_WORD.test(replication))
    throw refusal('not_spoken', '0A000', 'Replication connections are not served here.');
  refuseOtherEncodings(rest.get('client_encoding'));
  const asksForMore = minor > NEWEST_MINOR || protocolOptions.length > 0;
  return {
    user,
    database: database === '' ? undefined : database,
    parameters: rest,
    protocolMinor,
    answer: asksForMore ? negotiateProtocolVersion(protocolMinor, protocolOptions) : undefined,
  };
}

/**
 * Servers look at letters and digits only, and `unicode` is an old name of the same. A terminal without a locale, as in
 * a container, makes psql ask for SQL_ASCII, "as it is": it is served in UTF8, and ParameterStatus tells it so.
 */
function refuseOtherEncodings(encoding: string | undefined): void {
  if (encoding === undefined) return;
  const name = encoding.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (TAKEN_ENCODINGS.has(name)) return;
  throw refusal(
    'not_spoken',
    '0A000',
    `The client encoding ${encoding} is not spoken here: UTF8 is.`,
    'Set PGCLIENTENCODING=UTF8, or client_encoding=UTF8 in the connection string.',
  );
}
