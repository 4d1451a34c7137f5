import { normalizedName } from '../../../kernel/text/names';
import type { StartUp } from '../wire/start-up-packet';
import type { AskedProtocol } from './protocol-version';
import { signInRefusal } from './refusal';
import type { Setting } from './start-up-options';
import { startUpSettings } from './start-up-settings';

/**
 * Matches the texts that a PostgreSQL server reads as the boolean false: `false`, `no`, `off` and their
 * abbreviations that are not also the beginning of `on`, and `0`.
 */
const NO_WORD = /^(f|fa|fal|fals|false|n|no|of|off|0)$/i;

/** The content of a StartupMessage. */
export interface Start {
  readonly user: string;
  /**
   * Name of the database as sent; undefined if the client sent none. A server would then use the user name.
   */
  readonly database: string | undefined;
  /** See `startUpSettings`. */
  readonly settings: readonly Setting[];
  readonly protocol: AskedProtocol;
}

/** Reads a StartupMessage. @throws SignInRefusal for requests that are not supported. */
export function startOf({ minor, parameters, protocolOptions }: StartUp): Start {
  const rest = new Map(parameters);
  const take = (name: string): string => {
    const value = rest.get(name) ?? '';
    rest.delete(name);
    return value;
  };
  const user = take('user');
  const database = take('database');
  const replication = take('replication');
  if (user === '') throw signInRefusal('no_user', '28000', 'The start-up packet names no user.');
  if (replication !== '' && !NO_WORD.test(replication))
    throw signInRefusal('not_spoken', '0A000', 'Replication connections are not supported.');
  return {
    user,
    database: normalizedName(database) === '' ? undefined : database,
    settings: startUpSettings(rest),
    protocol: { minor, options: protocolOptions },
  };
}
