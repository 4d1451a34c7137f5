import { isUtf8Name, plainEncoding } from '../../../languages/postgresql/lexing/encoding-names';
import { signInRefusal } from './refusal';
import { type Setting, settingsOfOptions } from './start-up-options';

/** Parameters of the start-up message that are not settings. No server setting has one of these names. */
const NO_SETTINGS: ReadonlySet<string> = new Set(['user', 'database', 'options', 'replication']);
/** Prefix of protocol options. A setting with it is refused, because it would become a protocol option. */
const PROTOCOL_OPTION = '_pq_.';

/**
 * Returns the settings of a start-up message in the order in which a server applies them: the settings in
 * `options` first. A name may occur twice, because each value may set only a part of the setting, as with
 * `DateStyle`. Names ignore case.
 * @throws SignInRefusal for settings that cannot be set, and for encodings that are not supported.
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
  // SQLSTATE undefined_object
  return signInRefusal('malformed', '42704', `unrecognized configuration parameter "${name}"`);
}

/** Lower-cases ASCII only, as servers do to compare setting names and to fold unquoted names. */
export function asciiLowerCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Refuses client encodings other than UTF8 and SQL_ASCII. psql requests SQL_ASCII in a terminal without a
 * locale, for example in a container. Such a client is served in UTF8, as ParameterStatus reports to it.
 */
function refuseOtherEncodings(encoding: string | undefined): void {
  if (encoding === undefined || isUtf8Name(encoding) || plainEncoding(encoding) === 'sqlascii') return;
  throw signInRefusal(
    'not_spoken',
    '0A000',
    `The client encoding ${encoding} is not supported. Use UTF8.`,
    'Set PGCLIENTENCODING=UTF8, or client_encoding=UTF8 in the connection string.',
  );
}
