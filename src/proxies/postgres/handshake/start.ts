import { normalizedName } from '../../../kernel/names';
import type { StartUp } from '../wire/start-up-packet';
import type { AskedProtocol } from './protocol-version';
import { signInRefusal } from './refusal';
import type { Setting } from './start-up-options';
import { startUpSettings } from './start-up-settings';

/** As a server reads booleans: any beginning of these words that fits no other. */
const NO_WORD = /^(f|fa|fal|fals|false|n|no|of|off|0)$/i;

/** Who a client says it is, and where it wants to go. */
export interface Start {
  readonly user: string;
  /** undefined: not said; a server would take the user's name. */
  readonly database: string | undefined;
  /** See `startUpSettings`. */
  readonly settings: readonly Setting[];
  readonly protocol: AskedProtocol;
}

/** What a StartupMessage asks for. @throws Refusal for what is not spoken here. */
export function startOf({ minor, parameters, protocolOptions }: StartUp): Start {
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
  if (user === '') throw signInRefusal('no_user', '28000', 'The start-up packet names no user.');
  if (replication !== '' && !NO_WORD.test(replication))
    throw signInRefusal('not_spoken', '0A000', 'Replication connections are not served here.');
  return {
    user,
    database: database === '' ? undefined : database,
    settings: startUpSettings(rest),
    protocol: { minor, options: protocolOptions },
  };
}
