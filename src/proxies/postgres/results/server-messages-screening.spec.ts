import { MemoryTrail, sessionUnder } from '../../../../test/support/gated-session';
import { words } from '../../../../test/support/rule-entries';
import { engineOf } from '../../../../test/support/screening';
import type { Session } from '../../../gate/session';
import {
  screenFault,
  screenColumnNames,
  screenNotification,
  screenParameter,
} from './server-messages-screening';
import { errorResponse, noticeResponse } from '../wire/error-fields';
import { notificationMessage } from '../wire/server-messages';
import { parameterStatus } from '../wire/start-up-answers';

const engine = engineOf(words(['canary']));
/** The server's next message. */
const NEXT = Buffer.from('next');

/** A session whose recording is durable when the test calls `written`, and the messages to its client. */
function sessionOf() {
  let written: (fault?: Error) => void = () => undefined;
  const durable = new Promise<void>((resolve, reject) => {
    written = (fault) => (fault === undefined ? resolve() : reject(fault));
  });
  const { session, trail } = sessionUnder(() => engine, new MemoryTrail(Infinity, durable));
  const sent: Buffer[] = [];
  const failures: unknown[] = [];
  const sink = {
    isFull: false,
    waitingBytes: 0,
    write: (pieces: readonly Buffer[]) => void sent.push(...pieces),
    end: () => undefined,
  };
  const failed = (error: unknown): void => void failures.push(error);
  const writer = session.toClient(sink, { room: () => undefined, failed });
  return { session, hits: trail.hits, sent, failures, writer, written };
}

const at = (bytes: Buffer) => ({ bytes, start: 0, end: bytes.length });

/** Functions that screen a message with the text `text`, by the kind of the message. */
const kinds = {
  error: (session: Session, text: string) =>
    screenFault(session, 'E', at(errorResponse({ severity: 'ERROR', code: '22000', message: text }))),
  notice: (session: Session, text: string) =>
    screenFault(session, 'N', at(noticeResponse({ severity: 'NOTICE', code: '00000', message: text }))),
  notification: (session: Session, text: string) =>
    screenNotification(session, at(notificationMessage(7, 'news', text))),
  parameter: (session: Session, text: string) =>
    screenParameter(session, at(parameterStatus('application_name', text))),
};

describe.each(Object.entries(kinds))('a %s of the server', (kind, spoken) => {
  it('goes on as it came where it holds nothing forbidden', async () => {
    const { session, hits } = sessionOf();
    const { instead, isDropped } = await spoken(session, 'all is well');
    expect([instead, isDropped ?? false]).toEqual([undefined, false]);
    expect(hits).toEqual([]);
  });

  it('that is blocked does not show its text, and what goes on instead waits until the verdict is durable', async () => {
    const { session, hits, sent, writer, written } = sessionOf();
    const { instead, isDropped = false } = await spoken(session, 'a canary sings');
    expect(isDropped || instead?.includes('canary') === false).toBe(true);
    expect(isDropped).toBe(kind !== 'error');
    expect(hits).toHaveLength(1);
    writer.write([instead ?? NEXT]);
    await new Promise(setImmediate);
    expect(sent).toEqual([]);
    written();
    await new Promise(setImmediate);
    expect(sent).toEqual([instead ?? NEXT]);
  });

  it('that is blocked and cannot be recorded lets nothing go on', async () => {
    const { session, sent, failures, writer, written } = sessionOf();
    await spoken(session, 'a canary sings');
    writer.write([NEXT]);
    written(new Error('the disk is full'));
    await new Promise(setImmediate);
    expect([sent, failures]).toEqual([[], [new Error('the disk is full')]]);
  });
});

describe('the names of columns', () => {
  it('are hidden altogether where one is forbidden, and the verdict is waited for', async () => {
    const { session, hits, sent, writer, written } = sessionOf();
    expect(await screenColumnNames(session, ['id', 'canary'])).toEqual(['****', '****']);
    expect(hits).toHaveLength(1);
    writer.write([NEXT]);
    await new Promise(setImmediate);
    expect(sent).toEqual([]);
    written();
    await new Promise(setImmediate);
    expect(sent).toEqual([NEXT]);
  });

  it('stay as they are where none is', async () => {
    const names = ['id', 'name'];
    expect(await screenColumnNames(sessionOf().session, names)).toBe(names);
  });
});
