import type { Judged, JudgedText } from '../../../gate/command';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import { textOf } from '../../../kernel/text/utf8';
import { readBind } from './bind-text';
import { type SettingCall, refusedBinding } from '../pipeline/encoding-change';
import type { Statement } from '../pipeline/pipeline-state';
import type { PreparedNames } from '../pipeline/prepared-names';
import type { ReadInput } from './read-input';
import type { Refused } from '../pipeline/refusals';
import { identifier } from './statement-text';
import { type Bind, type Message, bindOf, failingParse } from '../wire/client-messages';
import { BIND } from '../wire/types';

/** A Bind message with the data read from it. */
export interface BindInput {
  readonly message: Message;
  readonly bind: Bind;
  /** Name of the prepared statement. */
  readonly name: string;
  /** The prepared statements that the name may stand for. */
  readonly known: readonly Statement[];
  readonly read: ReadInput;
  /** The reason to refuse the message although the rules admit it. */
  readonly refused: Refused | undefined;
}

const NO_CALLS: readonly SettingCall[] = [];

export function bindInputOf(message: Message, named: PreparedNames): MaybePromise<BindInput> {
  const bind = bindOf(message);
  const { portal, statement, values, formats } = bind;
  const name = textOf(statement);
  const known = named.statementsNamed(name);
  const statements = known.length === 0 ? [{ text: executeOf(name), isRisky: true }] : known;
  const expected = {
    kind: BIND,
    name: textOf(portal),
    portal: { statements, formats },
    bytes: message.end - message.start,
  };
  const calls = callsOf(known);
  const refused = calls.length === 0 ? undefined : refusedBinding(calls, values);
  return thenMaybe(readBind(message, bind, name), ({ bytes, recorded }) => {
    const read = { bytes, recorded, mustBeUtf8: false, failing: failingParse, expected };
    return { message, bind, name, known, read, refused };
  });
}

/**
 * Returns the texts of a Bind that the rules judge: its values. Adds an `EXECUTE` of the prepared statement
 * if the gateway does not know the statement, for example because SQL prepared it.
 */
export function judgedOfBind(
  { name, known }: BindInput,
  values: readonly JudgedText[],
  { origins }: PreparedNames,
): Judged {
  if (known.length > 0) return values;
  return (rules) => [...values, ...origins.judged(executeOf(name), rules)];
}

function callsOf(known: readonly Statement[]): readonly SettingCall[] {
  const [only] = known;
  if (known.length === 1 && only !== undefined) return only.settingCalls ?? NO_CALLS;
  return known.flatMap(({ settingCalls = NO_CALLS }) => settingCalls);
}

function executeOf(name: string): string {
  return `EXECUTE ${identifier(name)}`;
}
