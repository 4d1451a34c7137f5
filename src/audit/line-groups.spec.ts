import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import type { NewLine } from './audit-log.entity';
import { LineGroups } from './line-groups';

describe('lines of requests are written in groups', () => {
  it('writes lines that come during a transaction with the next one, in order, one transaction at a time', async () => {
    const { groups, written, running } = recording();
    await Promise.all(Array.from({ length: 600 }, (_, n) => groups.add(line(n))));
    expect(written.map((group) => group.length)).toEqual([1, 256, 256, 87]);
    expect(written.flat().map(({ status }) => status)).toEqual(Array.from({ length: 600 }, (_, n) => n));
    expect(Math.max(...running)).toBe(1);
  });

  it('resolves only when the transaction is committed', async () => {
    const { groups, written } = recording();
    await groups.add(line(1));
    expect(written).toHaveLength(1);
  });

  it('does not let organizations wait for each other', async () => {
    const { groups, running } = recording();
    await Promise.all([groups.add(line(1, 'a')), groups.add(line(2, 'b'))]);
    expect(Math.max(...running)).toBe(2);
  });

  it('writes lines one by one when one of a group is refused, and fails that one only', async () => {
    const written: number[] = [];
    const groups = new LineGroups(async (lines) => {
      await turn();
      if (lines.some(({ status }) => status === 2)) throw refused('22P05');
      written.push(...lines.map(({ status }) => status));
    });
    const results = await Promise.allSettled([0, 1, 2, 3].map((status) => groups.add(line(status))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(written).toEqual([0, 1, 3]);
  });

  it('fails all lines of a group that the database cannot take, and goes on with the next group', async () => {
    let attempts = 0;
    const groups = new LineGroups(async () => {
      await turn();
      attempts += 1;
      if (attempts <= 2) throw refused('57P01');
    });
    const results = await Promise.allSettled([0, 1, 2].map((status) => groups.add(line(status))));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(attempts).toBe(2);
    await groups.add(line(3));
    expect(attempts).toBe(3);
  });
});

function recording(): { groups: LineGroups; written: NewLine[][]; running: number[] } {
  const written: NewLine[][] = [];
  const running: number[] = [];
  let now = 0;
  const groups = new LineGroups(async (lines) => {
    running.push(++now);
    await turn();
    now -= 1;
    written.push([...lines]);
  });
  return { groups, written, running };
}

function line(status: number, orgId = 'org'): NewLine {
  return {
    orgId,
    actorId: '',
    actorEmail: '',
    actorType: 'user',
    action: 'execute',
    resourceType: 'sessions',
    resourceId: '',
    outcome: 'success',
    status,
    clientAddress: '',
    requestId: '',
    changes: [],
  };
}

function refused(code: string): DatabaseError {
  const error = new DatabaseError('no', 2, 'error');
  error.code = code;
  return error;
}
