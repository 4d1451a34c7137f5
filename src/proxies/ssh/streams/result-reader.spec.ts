import { sessionUnder } from '../../../../test/support/gated-session';
import { engineOf } from '../../../../test/support/screening';
import { pattern, words } from '../../../../test/support/rule-entries';
import { OutputBlocked, ProgramOutputReader } from './result-reader';

/** A reader of the output of one program, under rules that the test changes. */
function readerOf(isTerminal: boolean, ...entries: Parameters<typeof engineOf>) {
  let current = engineOf(...entries);
  const { session } = sessionUnder(() => current);
  const delivered: Buffer[] = [];
  let wasFlushed = (): void => undefined;
  const reader: ProgramOutputReader = new ProgramOutputReader(session, {
    type: 'o',
    isTerminal,
    mark: (piece) => piece,
    mayWait: () => isTerminal,
    isCaughtUp: () => true,
    flushed: () => {
      delivered.push(...reader.takePieces());
      wasFlushed();
    },
    failed: (error) => {
      throw error;
    },
  });
  return {
    change: (...changed: Parameters<typeof engineOf>) => {
      current = engineOf(...changed);
    },
    write: async (bytes: Buffer) => {
      reader.push(bytes);
      while (await reader.next());
      delivered.push(...reader.takePieces());
    },
    /** Writes what is then flushed, because the program waits for its client. */
    ask: async (prompt: string) => {
      const flushed = new Promise<void>((resolve) => (wasFlushed = resolve));
      reader.push(Buffer.from(prompt));
      while (await reader.next());
      await flushed;
    },
    end: async () => {
      await reader.finish();
      delivered.push(...reader.takePieces());
      return Buffer.concat(delivered);
    },
  };
}

const CANARY = words(['canary'], { action: 'mask' });
const PARROT = words(['parrot'], { action: 'mask' });

// promises: GUARDRAIL-10
describe.each([
  ['a program', false],
  ['a terminal', true],
])('the output of %s whose rules change', (_, isTerminal) => {
  it('is screened by rules that were added', async () => {
    const { write, change, end } = readerOf(isTerminal);
    await write(Buffer.from('canary one\ncan'));
    change(CANARY);
    await write(Buffer.from('ary two\ncanary three\nparrot'));
    change(CANARY, PARROT);
    await write(Buffer.from(' four\ncanary five\n'));
    expect((await end()).toString()).toBe('canary one\ncanary two\n**** three\n**** four\n**** five\n');
  });

  it('is not screened any more when the rules are gone', async () => {
    const { write, change, end } = readerOf(isTerminal, CANARY);
    await write(Buffer.from('parrot one\ncan'));
    change();
    await write(Buffer.from('ary two\n'));
    expect((await end()).toString()).toBe('parrot one\ncanary two\n');
  });

  it('hides no word at the change of another rule, wherever it is cut', async () => {
    const text = 'before\na canary sings\nafter\n';
    for (let cut = 0; cut <= text.length; cut += 1) {
      const { write, change, end } = readerOf(isTerminal, CANARY);
      await write(Buffer.from(text.slice(0, cut)));
      change(CANARY, PARROT);
      await write(Buffer.from(text.slice(cut)));
      expect((await end()).toString()).toBe('before\na **** sings\nafter\n');
    }
  });

  it('keeps each byte, also those that are no UTF-8', async () => {
    const bytes = Buffer.from('a\u00e4\u20ac\u{1f600}\u001b[31mred\u001b[0m end');
    const raw = Buffer.concat([bytes, Buffer.from([0xff, 0xc3, 0x28, 0xe2, 0x82])]);
    for (let cut = 0; cut <= raw.length; cut += 1)
      for (const [first, second] of [
        [[CANARY], [PARROT]],
        [[CANARY], []],
        [[], [CANARY]],
      ] as const) {
        const { write, change, end } = readerOf(isTerminal, ...first);
        await write(raw.subarray(0, cut));
        change(...second);
        await write(raw.subarray(cut));
        expect((await end()).toString('hex')).toBe(raw.toString('hex'));
      }
  });

  it('is blocked by a rule that was added', async () => {
    const { write, change, end } = readerOf(isTerminal);
    await write(Buffer.from('canary one\n'));
    change({ ...CANARY, action: 'block' });
    await write(Buffer.from('canary two'));
    await expect(end()).rejects.toThrow(OutputBlocked);
  });
});

// promises: GUARDRAIL-10
describe('the output of a terminal whose rules change after a part of a line was shown', () => {
  it('is masked from there on, if a word of the former rules began in it', async () => {
    const { ask, write, change, end } = readerOf(true, CANARY);
    await ask('before\na can');
    change(CANARY, PARROT);
    await write(Buffer.from('ary sings\nafter\n'));
    expect((await end()).toString()).toBe('before\na can**** sings\nafter\n');
  });

  it('is blocked, if a word of the new rules began in it', async () => {
    const { ask, write, change, end } = readerOf(true, CANARY);
    await ask('a par');
    change(CANARY, { ...PARROT, action: 'block' });
    const rest = write(Buffer.from('rot sings\n')).then(end);
    await expect(rest).rejects.toThrow(OutputBlocked);
  });

  it('is not masked as the beginning of a line', async () => {
    const { ask, write, change, end } = readerOf(true, CANARY);
    await ask('name: ');
    change(pattern('^secret', { action: 'mask' }));
    await write(Buffer.from('secret\nsecret\n'));
    expect((await end()).toString()).toBe('name: secret\nsecret\n');
  });

  it('is not masked in the middle of a word', async () => {
    const { ask, write, change, end } = readerOf(true, CANARY);
    await ask('par');
    change(pattern('\\brot', { action: 'mask' }));
    await write(Buffer.from('rot rot\n'));
    expect((await end()).toString()).toBe('parrot ****\n');
  });
});
