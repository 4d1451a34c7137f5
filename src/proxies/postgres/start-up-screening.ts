import type { Session } from '../../gate/session';
import { screenFault, screenParameter } from './results/server-messages-screening';
import { UpstreamRefused, withoutQuote } from './upstream-refused';
import { parameterStatus } from './wire/start-up-answers';

/** Stands for bytes that are not valid UTF-8, which may be part of a forbidden text. */
const UNREADABLE = '\ufffd';

/**
 * Parameters that no session can change, or whose value the gateway has checked at sign-in. Their values hold
 * no data of a table, and drivers do not work without them.
 */
const FIXED = new Set([
  'server_version',
  'server_encoding',
  'integer_datetimes',
  'client_encoding',
  'standard_conforming_strings',
]);

/** Screens the parameters that the target reported during start-up. Returns the messages for the client. */
export async function screenedParameters(
  session: Session,
  parameters: ReadonlyMap<string, string>,
): Promise<readonly Buffer[]> {
  const delivered: Buffer[] = [];
  for (const [name, value] of parameters) {
    const bytes = parameterStatus(name, value);
    const message = { bytes, start: 0, end: bytes.length };
    const screened = FIXED.has(name) ? undefined : await screenParameter(session, message);
    if (screened?.isDropped !== true) delivered.push(screened?.instead ?? bytes);
  }
  await session.recordOutput();
  return delivered;
}

/** Screens and records the notices of the target's start-up. Returns the notices that the client gets. */
export async function screenedNotices(
  session: Session,
  notices: readonly Buffer[],
): Promise<readonly Buffer[]> {
  if (notices.length === 0) return notices;
  const delivered: Buffer[] = [];
  for (const notice of notices) {
    const message = { bytes: notice, start: 0, end: notice.length };
    const { instead, isDropped, events } = await screenFault(session, 'N', message);
    await session.note(...events);
    if (isDropped !== true) delivered.push(instead ?? notice);
  }
  await session.recordOutput();
  return delivered;
}

/** Screens the server's texts in a refusal, because they become the client's error and the recorded cause. */
export async function screenedRefusal(session: Session, error: unknown): Promise<unknown> {
  if (!(error instanceof UpstreamRefused && error.isQuoted)) return error;
  await session.askForRules();
  const { fields } = error;
  const given = [fields.message, fields.detail ?? '', fields.hint ?? ''];
  if (session.screensOutput && given.some((text) => text.includes(UNREADABLE)))
    return withoutQuote(fields.code);
  const screened = await session.screenTexts(given);
  if ('blocked' in screened) return withoutQuote(fields.code);
  const [message = '', detail = '', hint = ''] = screened.texts;
  return new UpstreamRefused({
    ...fields,
    message,
    ...(fields.detail === undefined ? {} : { detail }),
    ...(fields.hint === undefined ? {} : { hint }),
  });
}
