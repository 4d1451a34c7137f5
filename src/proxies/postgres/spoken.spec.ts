import { words } from '../../../test/support/rule-entries';
import { engineOf } from '../../../test/support/screening';
import type { ClientSession } from '../../gate/client-session';
import type { Screened } from '../../gate/ports/guardrails';
import { PendingRecords } from './pending-records';
import { spokenFault, spokenNames, spokenNotification, spokenParameter } from './spoken';
import { errorResponse, noticeResponse } from './wire/error-fields';
import { notificationMessage } from './wire/server-messages';
import { parameterStatus } from './wire/start-up-answers';

const engine = engineOf(words(['canary']));

interface Durable {
  readonly session: ClientSession;
  /** The verdicts that were recorded, in order. */
  readonly verdicts: string[];
  /** Ends the writing of all of them. */
  readonly written: (fault?: Error) => void;
}

/** A session whose verdicts are durable when the test says so. */
function sessionOf(): Durable {
  const verdicts: string[] = [];
  let written: Durable['written'] = () => undefined;
  const recorded = new Promise<void>((resolve, reject) => {
    written = (fault) => (fault === undefined ? resolve() : reject(fault));
  });
  const session = {
    screensOutput: engine.screensOutput,
    openScreen: () => engine.openScreen(),
    mayTouch: (lines: Buffer) => engine.mayTouch(lines),
    askForRules: () => undefined,
    masked: () => undefined,
    record: () => recorded,
    release: (_: string, screened: Screened) => {
      if (screened.kind === 'block') verdicts.push(screened.hit.message);
      return { kind: 'blocked', recorded };
    },
  };
  return { session: session as unknown as ClientSession, verdicts, written };
}

const at = (bytes: Buffer) => ({ bytes, start: 0, end: bytes.length });

/** What goes on in the place of a message, by what the message is, for a message that tells `text`. */
const kinds = {
  error: (session: ClientSession, recorded: PendingRecords, text: string) =>
    spokenFault(
      session,
      recorded,
      'E',
      at(errorResponse({ severity: 'ERROR', code: '22000', message: text })),
    ),
  notice: (session: ClientSession, recorded: PendingRecords, text: string) =>
    spokenFault(
      session,
      recorded,
      'N',
      at(noticeResponse({ severity: 'NOTICE', code: '00000', message: text })),
    ),
  notification: (session: ClientSession, recorded: PendingRecords, text: string) =>
    spokenNotification(session, recorded, at(notificationMessage(7, 'news', text))),
  parameter: (session: ClientSession, recorded: PendingRecords, text: string) =>
    spokenParameter(session, recorded, at(parameterStatus('application_name', text))),
};

describe.each(Object.entries(kinds))('a %s of the server', (kind, spoken) => {
  it('goes on as it came where it holds nothing forbidden', async () => {
    const { session, verdicts } = sessionOf();
    const recorded = new PendingRecords(session);
    const { instead, isDropped } = await spoken(session, recorded, 'all is well');
    expect([instead, isDropped ?? false]).toEqual([undefined, false]);
    expect(recorded.take()).toBeUndefined();
    expect(verdicts).toEqual([]);
  });

  it('that is blocked does not show its text, and what goes on instead waits until the verdict is durable', async () => {
    const { session, verdicts, written } = sessionOf();
    const recorded = new PendingRecords(session);
    const { instead, isDropped = false } = await spoken(session, recorded, 'a canary sings');
    expect(isDropped || instead?.includes('canary') === false).toBe(true);
    expect(isDropped).toBe(kind !== 'error');
    expect(verdicts).toHaveLength(1);
    let isDurable = false;
    const durable = recorded.take()?.then(() => (isDurable = true));
    await new Promise(setImmediate);
    expect(isDurable).toBe(false);
    written();
    await durable;
    expect(isDurable).toBe(true);
  });

  it('that is blocked and cannot be recorded fails whoever waits for it', async () => {
    const { session, written } = sessionOf();
    const recorded = new PendingRecords(session);
    await spoken(session, recorded, 'a canary sings');
    written(new Error('the disk is full'));
    await expect(recorded.take()).rejects.toThrow('the disk is full');
  });
});

describe('the names of columns', () => {
  it('are hidden altogether where one is forbidden, and the verdict is waited for', async () => {
    const { session, verdicts, written } = sessionOf();
    const recorded = new PendingRecords(session);
    expect(await spokenNames(session, recorded, ['id', 'canary'])).toEqual(['****', '****']);
    expect(verdicts).toHaveLength(1);
    written();
    await expect(recorded.take()).resolves.toBeUndefined();
  });

  it('stay as they are where none is', async () => {
    const { session } = sessionOf();
    const names = ['id', 'name'];
    expect(await spokenNames(session, new PendingRecords(session), names)).toBe(names);
  });
});
