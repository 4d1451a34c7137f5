import { auditLineOf } from '../support/audit';
import { describeDataPath } from '../support/describe';
import { approve, approvedConnection } from '../support/approved-access';
import { issue } from '../support/credentials';
import type { Answer, Person } from '../support/gateway';

const ROUNDS = 12;

/** Statements that the database rolls back because of a deadlock, and the answers that callers get. */
describeDataPath('deadlocks', ({ path }) => {
  beforeAll(async () => {
    for (const person of ['alice', 'bob'] as const) await path.gateway.call(person, 'GET', '/userinfo');
  });

  const query = <T extends object>(sql: string, values?: unknown[]) =>
    path.gateway.database.query<T>(sql, values);
  const deadlocks = async (): Promise<number> => {
    const [row] = await query<{ deadlocks: number }>(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    return row?.deadlocks ?? -1;
  };

  it('deleting a connection while people request credentials causes no error and leaves nothing', async () => {
    const before = await deadlocks();
    const answers: Answer[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const name = await approvedConnection(path);
      for (const person of ['alice', 'bob'] as const) {
        const { body } = await issue(path.gateway, person, {}, name);
        if (person === 'alice') await approve(path.gateway, body.id);
      }
      const asks = (person: Person) => issue(path.gateway, person, {}, name);
      answers.push(
        ...(await Promise.all([
          ...Array.from({ length: 6 }, (_, i) => asks(i % 3 === 2 ? 'bob' : 'alice')),
          path.gateway.call('admin', 'DELETE', `/connections/${name}`),
        ])),
      );
      expect((await path.gateway.call('admin', 'GET', `/connections/${name}`)).status).toBe(404);
    }
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => ![201, 202, 204, 404].includes(status))).toEqual([]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(ROUNDS);
    expect(
      await query(`SELECT id FROM reviews WHERE type = 'jit' AND status IN ('PENDING', 'APPROVED')`),
    ).toEqual([]);
    expect(await deadlocks()).toBe(before);
  }, 240_000);

  describe('that happen all the same', () => {
    /**
     * Makes the database roll back the first `times` changes of attributes. Counts the attempts with a
     * sequence, because a rollback does not undo the change of a sequence.
     */
    const takeBack = async (times: number, code: string): Promise<void> => {
      await query(`
        CREATE SEQUENCE tries;
        CREATE FUNCTION take_back() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('tries') <= ${times} THEN RAISE EXCEPTION 'taken back' USING ERRCODE = '${code}'; END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER take_back BEFORE UPDATE ON attributes FOR EACH ROW EXECUTE FUNCTION take_back();`);
    };
    const tries = async (): Promise<number> => {
      const [row] = await query<{ last_value: string }>('SELECT last_value FROM tries');
      return Number(row?.last_value);
    };

    beforeAll(() => path.gateway.call('admin', 'POST', '/attributes', { name: 'changing' }));
    afterEach(() =>
      query(`DROP TRIGGER take_back ON attributes; DROP FUNCTION take_back; DROP SEQUENCE tries`),
    );

    const change = (description: string) =>
      path.gateway.call('admin', 'PUT', '/attributes/changing', { description });
    const lines = async (outcome: string): Promise<number> => {
      const { body } = await path.gateway.call(
        'admin',
        'GET',
        `/audit/logs?resource_type=attributes&action=update&outcome=${outcome}`,
      );
      return body.pages.total;
    };

    // promises: HTTP-24
    it.each(['40P01', '40001'])('%s: the whole change is tried again, and told of once', async (code) => {
      const before = await lines('success');
      await takeBack(2, code);
      const answer = await change(code);
      expect([answer.status, answer.body.description]).toEqual([200, code]);
      expect(await tries()).toBe(3);
      expect(await lines('success')).toBe(before + 1);
      expect((await path.gateway.call('admin', 'GET', '/audit/verify')).body.valid).toBe(true);
    });

    // promises: HTTP-24
    it('again and again: 503 with Retry-After, and nothing has changed', async () => {
      const failed = await lines('failed');
      await takeBack(1_000, '40P01');
      const answer = await change('never');
      expect([answer.status, answer.body, answer.headers.get('retry-after')]).toEqual([
        503,
        { message: 'there are too many concurrent changes to the same data, try again shortly' },
        '1',
      ]);
      expect(await tries()).toBe(4);
      expect((await path.gateway.call('admin', 'GET', '/attributes/changing')).body.description).not.toBe(
        'never',
      );
      await auditLineOf(path.gateway, answer);
      expect(await lines('failed')).toBe(failed + 1);
    });
  });
});
