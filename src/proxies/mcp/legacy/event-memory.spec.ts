import type { JsonObject } from '../../../kernel/json/json';
import type { HttpAnswer } from '../http/answer';
import { EventLog } from './event-log';
import { EventMemory } from './event-memory';

const KIB = 1024;
const MIB = 1024 * KIB;

/** A client that reads everything. */
function reader(): { readonly http: HttpAnswer; readonly read: string[] } {
  const read: string[] = [];
  const http = {
    isOver: false,
    open: () => undefined,
    close: () => undefined,
    hangUpAfterwards: () => undefined,
    write: (text: string) => Promise.resolve(void read.push(text)),
  };
  return { http: http as unknown as HttpAnswer, read };
}

const message = (characters: number): JsonObject => ({ text: 'x'.repeat(characters) });

describe('what streams keep for clients that resume them', () => {
  it('is bounded for all sessions together: the oldest goes first', async () => {
    const all = EventMemory.ofProcess(8 * MIB);
    const logs = Array.from({ length: 20 }, (_, index) => new EventLog(`s${index}`, all.forSession()));
    for (const log of logs) for (let event = 0; event < 2; event += 1) await log.send(message(MIB));
    expect(all.size).toBeLessThanOrEqual(8 * MIB);
    expect(all.size).toBeGreaterThan(6 * MIB);
    expect(await logs[0]?.resume(reader().http, 0)).toBe(false);
    const { http, read } = reader();
    expect(await logs.at(-1)?.resume(http, 0)).toBe(true);
    expect(read.join('')).toContain('id: s19/1');
  });

  it('is bounded for the streams of a session, which keeps its last event whatever its size', async () => {
    const session = EventMemory.ofProcess(100 * MIB).forSession();
    const logs = Array.from({ length: 10 }, (_, index) => new EventLog(`a${index}`, session));
    for (const log of logs) {
      await log.prime();
      await log.send(message(4 * MIB));
    }
    expect(session.size).toBeLessThanOrEqual(16 * MIB);
    expect(await logs[0]?.resume(reader().http, 0)).toBe(false);
    expect(await logs[9]?.resume(reader().http, 0)).toBe(true);
    await logs[0]?.send(message(20 * MIB));
    expect(session.size).toBeGreaterThan(20 * MIB);
    expect(await logs[9]?.resume(reader().http, 0)).toBe(false);
    const { http, read } = reader();
    expect(await logs[0]?.resume(http, 1)).toBe(true);
    expect(read.join('').length).toBeGreaterThan(20 * MIB);
  });

  it('is bounded for a stream: a thousand events', async () => {
    const all = EventMemory.ofProcess();
    const log = new EventLog('changes', all.forSession());
    for (let event = 0; event < 1_500; event += 1) await log.send(message(1));
    expect(await log.resume(reader().http, 498)).toBe(false);
    const { http, read } = reader();
    expect(await log.resume(http, 499)).toBe(true);
    expect(read.join('').match(/^id: /gm)).toHaveLength(1_000);
  });

  it('is nothing once the streams are over, also for what is sent afterwards', async () => {
    const all = EventMemory.ofProcess();
    const log = new EventLog('changes', all.forSession());
    const { http, read } = reader();
    log.attach(http);
    await log.send(message(KIB));
    expect(all.size).toBeGreaterThan(KIB);
    log.over();
    expect(all.size).toBe(0);
    await log.send(message(KIB));
    expect(all.size).toBe(0);
    expect(read).toHaveLength(2);
  });
});
