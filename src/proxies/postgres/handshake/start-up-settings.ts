import { signInRefusal } from './refusal';
import { type Setting, settingsOfOptions } from './start-up-options';

const TAKEN_ENCODINGS: ReadonlySet<string> = new Set(['utf8', 'unicode', 'sqlascii']);
/** Parameters of the start-up message that are no settings; a server knows no setting of such a name either. */
const NO_SETTINGS: ReadonlySet<string> = new Set(['user', 'database', 'options', 'replication']);
/** As the name of a parameter it would be an option of the protocol. */
const PROTOCOL_OPTION = '_pq_.';

/**
 * What a client sets at the start, in the order in which a server applies it: `options` before the others. A name may
 * come again (as `DateStyle`, of which each value sets a part); names know no case.
 * @throws Refusal for what cannot be set, and for encodings that are not spoken.
 */
export function startUpSettings(parameters: ReadonlyMap<string, string>): readonly Setting[] {
  const others = [...parameters].filter(([name]) => name !== 'options');
  const settings = [...settingsOfOptions(parameters.get('options') ?? ''), ...others];
  for (const [name] of settings)
    if (NO_SETTINGS.has(asciiLowerCase(name)) || name.startsWith(PROTOCOL_OPTION)) throw unknownSetting(name);
  const isEncoding = ([name]: Setting): boolean => asciiLowerCase(name) === 'client_encoding';
  refuseOtherEncodings(settings.findLast(isEncoding)?.[1]);
  return settings.filter((setting) => !isEncoding(setting));
}

function unknownSetting(name: string): Error {
  // undefined_object
  return signInRefusal('malformed', '42704', `unrecognized configuration parameter "${name}"`);
}

/** As servers compare names of settings, and read names that are not quoted. */
export function asciiLowerCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Servers look at letters and digits only, and `unicode` is an old name of the same. A terminal without a locale, as in
 * a container, makes psql ask for SQL_ASCII, "as it is": it is served in UTF8, and ParameterStatus tells it so.
 */
function refuseOtherEncodings(encoding: string | undefined): void {
  if (encoding === undefined || TAKEN_ENCODINGS.has(plainEncoding(encoding))) return;
  throw signInRefusal(
    'not_spoken',
    '0A000',
    `The client encoding ${encoding} is not spoken here: UTF8 is.`,
    'Set PGCLIENTENCODING=UTF8, or client_encoding=UTF8 in the connection string.',
  );
}

/** The name of an encoding as servers compare it. */
export function plainEncoding(encoding: string): string {
  return encoding.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
