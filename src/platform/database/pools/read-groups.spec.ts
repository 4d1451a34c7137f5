import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { ReadGroups } from './read-groups';

describe('questions of concurrent requests are read in groups', () => {
  it('reads those of a turn in one statement, and those that come meanwhile in the next ones', async () => {
    const { groups, read, atOnce } = reading();
    const answers = await Promise.all(Array.from({ length: 21 }, (_, n) => groups.ask(n)));
    expect(answers).toEqual(Array.from({ length: 21 }, (_, n) => `answer to ${n}`));
    expect(read.map(({ length }) => length)).toEqual([8, 8, 5]);
    expect(Math.max(...atOnce)).toBe(2);
  });

  it('starts the statement after the question was asked', async () => {
    let row = 'before';
    const groups = new ReadGroups<number, string>({
      ...HOW,
      read: async (questions) => {
        const seen = row;
        await turn();
        return questions.map(() => seen);
      },
    });
    const early = [0, 1].map((n) => groups.ask(n));
    await turn();
    await turn();
    row = 'after';
    // A statement is already reading for the earlier requests. It must not answer the new request.
    const late = groups.ask(2);
    expect(await Promise.all(early)).toEqual(['before', 'before']);
    expect(await late).toBe('after');
  });

  it('asks alone again when a group fails, so that the fault stays with its question', async () => {
    const groups = failing((questions) => questions.includes(2), new Error('this one'));
    const results = await Promise.allSettled([0, 1, 2, 3].map((n) => groups.ask(n)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('fails a whole group while the database cannot be used, and goes on with the next one', async () => {
    const shutdown = new DatabaseError('shutting down', 1, 'error');
    shutdown.code = '57P01';
    let attempts = 0;
    const groups = failing(() => (attempts += 1) === 1, shutdown);
    const results = await Promise.allSettled([0, 1, 2].map((n) => groups.ask(n)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(attempts).toBe(1);
    expect(await groups.ask(3)).toBe(3);
  });

  it('reads different queues in different statements', async () => {
    const { groups, read } = reading((n) => String(n % 2));
    await Promise.all([0, 1, 2, 3].map((n) => groups.ask(n)));
    expect(read).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });
});

const HOW = { atMost: 8, atOnce: 2, queueOf: () => 'one' };

function reading(queueOf: (n: number) => string = HOW.queueOf) {
  const read: (readonly number[])[] = [];
  const atOnce: number[] = [];
  let running = 0;
  const groups = new ReadGroups<number, string>({
    ...HOW,
    queueOf,
    read: async (questions) => {
      read.push(questions);
      atOnce.push((running += 1));
      await turn();
      running -= 1;
      return questions.map((n) => `answer to ${n}`);
    },
  });
  return { groups, read, atOnce };
}

function failing(fails: (questions: readonly number[]) => boolean, error: Error): ReadGroups<number, number> {
  return new ReadGroups({
    ...HOW,
    read: async (questions) => {
      await turn();
      if (fails(questions)) throw error;
      return questions;
    },
  });
}
