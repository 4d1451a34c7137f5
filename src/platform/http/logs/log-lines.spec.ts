import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { LogLines } from './log-lines';

describe('log lines', () => {
  const opened = () => {
    const writes: string[] = [];
    const lines = new LogLines({ write: (text) => void writes.push(text) });
    return { writes, lines, log: pino({ base: null, timestamp: false }, lines) };
  };
  const messages = (writes: readonly string[]): string[][] =>
    writes.map((text) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { msg: string }).msg),
    );

  it('are written together, without being asked for', async () => {
    const { writes, log } = opened();
    for (const message of ['one', 'two', 'three']) log.info(message);
    expect(writes).toEqual([]);
    while (writes.length === 0) await delay(5);
    log.info('four');
    while (writes.length === 1) await delay(5);
    expect(messages(writes)).toEqual([['one', 'two', 'three'], ['four']]);
  });

  it.each(['warn', 'error', 'fatal'] as const)('are written at once with one of the level %s', (level) => {
    const { writes, log } = opened();
    log.info('before');
    log[level]('now');
    expect(messages(writes)).toEqual([['before', 'now']]);
  });

  it('do not wait where they are many', () => {
    const { writes, log } = opened();
    for (let index = 0; index < 100; index += 1) log.info('x'.repeat(1_000));
    expect(writes.length).toBeGreaterThan(2);
  });

  it('are written when the process exits', () => {
    const before = new Set(process.listeners('exit'));
    const { writes, log } = opened();
    log.info('the last words');
    const added = process.listeners('exit').filter((listener) => !before.has(listener));
    for (const listener of added) (listener as () => void)();
    expect(messages(writes)).toEqual([['the last words']]);
  });

  it('go to standard output as it is when they are written', () => {
    const lines = new LogLines();
    for (const message of ['to the first', 'to the second']) {
      const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
      lines.write(message);
      lines.flushSync();
      expect(write.mock.calls).toEqual([[message]]);
      write.mockRestore();
    }
  });
});
