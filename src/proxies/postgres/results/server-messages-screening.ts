import { isUtf8 } from 'node:buffer';
import type { Session } from '../../../gate/session';
import { LARGE_TEXT } from '../../../gate/screened-texts';
import type { TrailEvent } from '../../../gate/ports/session-recorder';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import { parseRow, renderRow } from '../../../kernel/text/tabular-text';
import { inSlices } from '../../../kernel/async/time-slice';
import type { Refused } from '../pipeline/refusals';
import { stepsOf, stringOf } from './row-cells';
import type { Message } from '../wire/client-messages';
import { errorResponse } from '../wire/error-fields';
import { HEAD_BYTES } from '../wire/message';
import {
  type FaultFields,
  faultMessage,
  faultOf,
  notificationMessage,
  notificationOf,
  parameterOf,
  rawFaultOf,
} from '../wire/server-messages';
import { parameterStatus } from '../wire/start-up-answers';

/** A screened server message outside results. If `isDropped` is set, it is not delivered. */
export interface ScreenedMessage {
  /** The replacement; undefined to deliver the message unchanged. */
  readonly instead?: Buffer | undefined;
  readonly isDropped?: boolean;
  readonly events: readonly TrailEvent[];
}

const UNREADABLE =
  'The message of the database holds bytes that are not valid UTF8, so the rules for output cannot be applied to it.';

/** Letters of the error fields that may contain data of the target: texts, and names of objects. */
const TELLING = new Set(['M', 'D', 'H', 'W', 'q', 's', 't', 'c', 'd', 'n']);

/**
 * Screens an error or a notice, because it can reveal the content of a table. Records it as psql shows it.
 */
export function screenFault(session: Session, type: 'E' | 'N', at: Message): MaybePromise<ScreenedMessage> {
  return thenMaybe(readFault(at), (fault) => screenedFault(session, type, at, fault));
}

function screenedFault(
  session: Session,
  type: 'E' | 'N',
  at: Message,
  fault: FaultFields,
): MaybePromise<ScreenedMessage> {
  if (!session.screensOutput) return { events: [recordedFault(fault)] };
  if (!isUtf8(at.bytes.subarray(at.start + HEAD_BYTES, at.end))) return unreadable(type, fault);
  const letters = [...fault.keys()].filter((letter) => TELLING.has(letter));
  const given = letters.map((letter) => fault.get(letter) ?? '');
  return thenMaybe(session.screenTexts(given), (screened): ScreenedMessage => {
    if ('blocked' in screened) {
      if (type === 'N') return { isDropped: true, events: [] };
      const severity = fault.get('V') === 'FATAL' ? 'FATAL' : 'ERROR';
      const code = fault.get('C') ?? '42501';
      return { instead: errorResponse({ severity, code, message: screened.blocked }), events: [] };
    }
    if (screened.texts.every((text, index) => text === given[index]))
      return { events: [recordedFault(fault)] };
    const changed = new Map(fault);
    for (const [index, letter] of letters.entries()) changed.set(letter, screened.texts[index] ?? '');
    return { instead: faultMessage(type, changed), events: [recordedFault(changed)] };
  });
}

function readFault(at: Message): MaybePromise<FaultFields> {
  return at.end - at.start > LARGE_TEXT ? inSlices(readingFault(at)) : faultOf(at);
}

function* readingFault(at: Message): Generator<undefined, FaultFields> {
  const fault = new Map<string, string>();
  for (const [letter, value] of rawFaultOf(at)) {
    const texts: string[] = [];
    for (const step of stepsOf(value)) {
      texts.push(stringOf(step));
      yield;
    }
    fault.set(letter, texts.join(''));
  }
  return fault;
}

/** Replaces an error that is not valid UTF-8, so that the client gets only its code. Drops a notice. */
function unreadable(type: 'E' | 'N', fault: FaultFields): ScreenedMessage {
  if (type === 'N') return { isDropped: true, events: [] };
  const severity = fault.get('V') === 'ERROR' ? 'ERROR' : 'FATAL';
  const said = { severity, code: fault.get('C') ?? 'XX000', message: UNREADABLE } as const;
  const event = { type: 'e', content: `${severity}: ${UNREADABLE} (SQLSTATE ${said.code})\n` } as const;
  return { instead: errorResponse(said), events: [event] };
}

/**
 * Screens column names outside a result, because names may contain data. If one name is forbidden, all names
 * become `****`.
 */
export function screenColumnNames(
  session: Session,
  names: readonly string[],
): MaybePromise<readonly string[]> {
  const row = renderRow(names);
  // Skip the screen where possible, because many drivers describe every portal, thousands of times a second.
  if (!session.screensOutput || !session.mayTouch(Buffer.from(row))) return names;
  return thenMaybe(screened(session, [row]), (texts) => {
    const shown = texts === undefined ? [] : parseRow((texts[0] ?? '').replace(/\n$/, ''));
    return shown.length === names.length ? shown : names.map(() => '****');
  });
}

/** Screens a notification that another session sent. */
export function screenNotification(session: Session, at: Message): MaybePromise<ScreenedMessage> {
  const { processId, channel, payload } = notificationOf(at);
  // Requests the rules here. Commands request them too, but a client that only listens sends no commands.
  const looked = thenMaybe(session.followRules(), () => screened(session, [channel, payload]));
  return thenMaybe(looked, (texts): ScreenedMessage => {
    if (texts === undefined) return { isDropped: true, events: [] };
    const [shownChannel = '', shown = ''] = texts;
    const events = [{ type: 'o', content: `NOTIFY ${shownChannel} ${shown}\n` }] as const;
    const isChanged = shown !== payload || shownChannel !== channel;
    return { instead: isChanged ? notificationMessage(processId, shownChannel, shown) : undefined, events };
  });
}

/** Screens a reported parameter of the session, because its value may come from a table. */
export function screenParameter(session: Session, at: Message): MaybePromise<ScreenedMessage> {
  const { name, value } = parameterOf(at);
  return thenMaybe(screened(session, [value]), (texts): ScreenedMessage => {
    if (texts === undefined) return { isDropped: true, events: [] };
    const [shown = ''] = texts;
    return { instead: shown === value ? undefined : parameterStatus(name, shown), events: [] };
  });
}

function screened(session: Session, texts: readonly string[]): MaybePromise<readonly string[] | undefined> {
  if (!session.screensOutput) return texts;
  return thenMaybe(session.screenTexts(texts), (result) => ('blocked' in result ? undefined : result.texts));
}

function recordedFault(fault: FaultFields): TrailEvent {
  const severity = fault.get('V') ?? fault.get('S') ?? 'ERROR';
  const lines = [
    `${severity}: ${fault.get('M') ?? ''}${isNotice(severity) ? '' : ` (SQLSTATE ${fault.get('C') ?? 'XX000'})`}`,
  ];
  for (const [letter, name] of [
    ['D', 'DETAIL'],
    ['H', 'HINT'],
    ['P', 'POSITION'],
  ] as const) {
    const value = fault.get(letter);
    if (value !== undefined) lines.push(`${name}: ${value}`);
  }
  return { type: 'e', content: `${lines.join('\n')}\n` };
}

function isNotice(severity: string): boolean {
  return severity !== 'ERROR' && severity !== 'FATAL' && severity !== 'PANIC';
}

export function refusalMessage({ code, message }: Refused): Buffer {
  return errorResponse({ severity: 'ERROR', code, message });
}
