import { setTimeout as delay } from 'node:timers/promises';
import { describeDataPath } from '../support/describe';
import { type Approvals, approvalsOn } from '../support/waiting-scripts';
import { eventually } from '../support/eventually';
import { type Answer, startGateway } from '../support/gateway';
import { volume } from '../support/volume';

/** Number of rounds: each of six delays is tried once, in the long form twice. */
const ROUNDS = volume(6, 12);

/**
 * Uses and ends the same approval at the same moment, several times, on two gateways. The approval must be
 * used at most once.
 */
describeDataPath('an approval that many want at once', ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));
  let on: Approvals;
  let connection: string;

  beforeAll(async () => {
    on = approvalsOn(path);
    connection = await on.reviewed();
    await path.target.query('CREATE TABLE runs (mark text)');
  });

  const said: Readonly<Record<string, (id: string, review: string) => Promise<Answer>>> = {
    revoke: (_, review) => other.call('bob', 'PUT', `/reviews/${review}`, { status: 'REVOKED' }),
    kill: (id) => other.call('alice', 'POST', `/sessions/${id}/kill`),
    expire: async (id) => {
      await path.gateway.database.query(
        `UPDATE reviews SET expires_at = clock_timestamp() WHERE session_id = $1`,
        [id],
      );
      return path.read(id);
    },
  };

  it.each(Object.keys(said))('is used once or not at all: two executions, and %s', async (what) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const mark = `${what}-${round}`;
      const { id, review } = await on.approved(`INSERT INTO runs VALUES ('${mark}')`, connection);
      // Each of the three requests comes first in some of the rounds.
      const [one, two, word] = await Promise.all([
        on.exec(id),
        on.exec(id, 'admin', undefined, other),
        delay(round % 6).then(() => said[what]?.(id, review)),
      ]);
      await eventually('the session is over', async () => (await on.stateOf(id))[0] === 'done');
      const answers = [one, two];
      const [, end] = await on.stateOf(id);
      const ran = (await path.target.query('SELECT FROM runs WHERE mark = $1', [mark])).length;
      const taken = answers.filter(({ status }) => status === 200);
      expect(answers.filter(({ status }) => status !== 200).every(({ status }) => status === 409)).toBe(true);
      expect([200, 202, 204, 409]).toContain(word?.status);
      if (end === 'EXECUTED') {
        expect(taken).toHaveLength(1);
        // A script that was stopped may or may not have reached the target before.
        if (taken[0]?.body.output_status === 'success') expect(ran).toBe(1);
        else expect(ran).toBeLessThanOrEqual(1);
      } else {
        expect([end, ran, taken.length]).toEqual([what === 'expire' ? 'EXPIRED' : 'REVOKED', 0, 0]);
      }
      const { body } = await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`);
      expect(body).toMatchObject({ status: 'valid', faults: [] });
    }
  });
});
