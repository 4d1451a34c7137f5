import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { WriteGroups } from './write-groups';

interface Row {
  readonly queue: string;
  readonly n: number;
}

describe('rows of concurrent requests are written in groups', () => {
  it('writes rows that come during a transaction with the next one, in order, one transaction at a time', async () => {
    const { groups, written, running } = recording();
    await Promise.all(Array.from({ length: 600 }, (_, n) => groups.add(row(n))));
    expect(written.map((group) => group.length)).toEqual([1, 256, 256, 87]);
    expect(written.flat().map(({ n }) => n)).toEqual(Array.from({ length: 600 }, (_, n) => n));
    expect(Math.max(...running)).toBe(1);
  });

  it('resolves only when the transaction is committed', async () => {
    const { groups, written } = recording();
    await groups.add(row(1));
    expect(written).toHaveLength(1);
  });

  it('does not let queues wait for each other', async () => {
    const { groups, running } = recording();
    await Promise.all([groups.add(row(1, 'a')), groups.add(row(2, 'b'))]);
    expect(Math.max(...running)).toBe(2);
  });

  it('writes rows one by one when one of a group is refused, and fails that one only', async () => {
    const written: number[] = [];
    const groups = groupsOf(async (rows) => {
      await turn();
      if (rows.some(({ n }) => n === 2)) throw refused('22P05');
      written.push(...rows.map(({ n }) => n));
    });
    const results = await Promise.allSettled([0, 1, 2, 3].map((n) => groups.add(row(n))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(written).toEqual([0, 1, 3]);
  });

  it('fails all rows of a group that the database cannot take, and goes on with the next group', async () => {
    let attempts = 0;
    const groups = groupsOf(async () => {
      await turn();
      attempts += 1;
      if (attempts <= 2) throw refused('57P01');
    });
    const results = await Promise.allSettled([0, 1, 2].map((n) => groups.add(row(n))));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(attempts).toBe(2);
    await groups.add(row(3));
    expect(attempts).toBe(3);
  });
});

function groupsOf(write: (rows: readonly Row[]) => Promise<void>): WriteGroups<Row> {
  return new WriteGroups({ atMost: 256, queueOf: ({ queue }) => queue, write });
}

function recording(): { groups: WriteGroups<Row>; written: Row[][]; running: number[] } {
  const written: Row[][] = [];
  const running: number[] = [];
  let now = 0;
  const groups = groupsOf(async (rows) => {
    running.push(++now);
    await turn();
    now -= 1;
    written.push([...rows]);
  });
  return { groups, written, running };
}

function row(n: number, queue = 'org'): Row {
  return { queue, n };
}

function refused(code: string): DatabaseError {
  const error = new DatabaseError('no', 2, 'error');
  error.code = code;
  return error;
}
