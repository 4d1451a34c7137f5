import { describeDataPath } from '../support/describe';
import { type DataPath, runningOn, startDataPath } from '../support/data-path';
import { eventually } from '../support/eventually';
import { keepFeedDown } from '../support/feed';
import { createRule, denyWords } from '../support/guardrails';
import { closedLatch } from '../support/latch';
import { RefusedInserts } from '../support/refused-inserts';

const FAULT = {
  message: 'The gateway could not judge or record this, so it was refused. Please tell an administrator.',
};

const SETTINGS = { environment: { RECORDING_MODE: 'store' } };

/** Tests that nothing runs when the gateway cannot judge or record it, by looking at the target's rows. */
describeDataPath('a gateway that cannot do its part', SETTINGS, ({ path }) => {
  const insert = (id: number) => `INSERT INTO customers VALUES (${id}, 'Eve', NULL)`;

  const expectNothingRan = async (id: number): Promise<void> => {
    expect(await path.target.query('SELECT 1 FROM customers WHERE id = $1', [id])).toEqual([]);
  };

  /** The session of this script, once it is over. */
  const done = async (script: string) => {
    await eventually('the session is over', async () => (await path.sessionOf(script)).status === 'done');
    return path.sessionOf(script);
  };

  let chunks: RefusedInserts;
  let laterChunks: RefusedInserts;
  let sessions: RefusedInserts;

  beforeAll(async () => {
    const { database } = path.gateway;
    chunks = await RefusedInserts.on(database, 'session_chunks');
    laterChunks = await RefusedInserts.on(database, 'session_chunks', { when: 'NEW.seq > 1', name: 'later' });
    sessions = await RefusedInserts.on(database, 'sessions');
  });

  // promises: RUN-12
  it('runs nothing when an input cannot be recorded', async () => {
    await chunks.during(async () => {
      const answer = await path.run(insert(101));
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual(FAULT);
    });
    await expectNothingRan(101);
    // The gateway records the refused input as soon as it can record again.
    const session = await done(insert(101));
    expect(session).toMatchObject({ status: 'done', exit_code: 254 });
    expect(await path.recording(session.id)).toEqual([
      ['i', insert(101)],
      ['e', `${FAULT.message}\n`],
    ]);
  });

  it('runs nothing when no session can be begun', async () => {
    await sessions.during(async () => {
      const answer = await path.run(insert(102));
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual({ message: 'internal error' });
    });
    await expectNothingRan(102);
  });

  // promises: RUN-12
  it('delivers nothing that it cannot record, and stops the script', async () => {
    const script = "SELECT 'canary' AS late; SELECT repeat('x', 20000); SELECT pg_sleep(100)";
    await laterChunks.during(async () => {
      const answer = await path.run(script);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        output: FAULT.message,
        output_status: 'blocked',
        exit_code: 254,
      });
      expect(answer.body.execution_time).toBeLessThan(60_000);
    });
    expect(await runningOn(path.target)).toEqual([]);
    const session = await done(script);
    expect(session).toMatchObject({ status: 'done', exit_code: 254, end_date: expect.any(Date) });
    expect((await path.recording(session.id))[0]).toEqual(['i', script]);
  });

  // promises: GUARDRAIL-14
  it('runs nothing when guardrails cannot be loaded, and records the refusal', async () => {
    await path.gateway.database.query('ALTER TABLE guardrail_rules RENAME TO elsewhere');
    try {
      // With the change feed up, the gateway would use the rules in its memory instead of loading them.
      const bringBack = await keepFeedDown(path.gateway);
      const answer = await path.run(insert(103));
      await bringBack();
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual(FAULT);
    } finally {
      await path.gateway.database.query('ALTER TABLE elsewhere RENAME TO guardrail_rules');
    }
    await expectNothingRan(103);
    const session = await path.sessionOf(insert(103));
    expect(session).toMatchObject({ status: 'done', exit_code: 254 });
    expect(await path.recording(session.id)).toEqual([
      ['i', insert(103)],
      ['e', `${FAULT.message}\n`],
    ]);
  });

  // promises: GUARDRAIL-14
  it.each([
    [
      104,
      'a pattern that does not compile',
      '{"rules": [{"type": "pattern_match", "words": [], "pattern_regex": "("}]}',
    ],
    [105, 'an empty word', '{"rules": [{"type": "deny_words_list", "words": [""], "pattern_regex": ""}]}'],
    [106, 'a type nobody knows', '{"rules": [{"type": "ask_mother", "words": [], "pattern_regex": ""}]}'],
    [107, 'no list of entries', '{}'],
    [108, 'null', 'null'],
  ])('runs nothing (%i) when a stored rule has %s', async (id, _, stored) => {
    const rule = await createRule(path.gateway, {
      name: `broken-${id}`,
      input: denyWords(['never said']),
      connection_ids: [path.connectionId],
    });
    const store = 'UPDATE guardrail_rules SET output = $2::jsonb WHERE id = $1';
    await path.gateway.database.query(store, [rule, stored]);
    const answer = await path.run(insert(id));
    const policy = await path.gateway.call(
      'auditor',
      'GET',
      '/connections/orders/effective-policy?user=admin@example.com',
    );
    await path.gateway.database.query('DELETE FROM guardrail_rules WHERE id = $1', [rule]);
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual(FAULT);
    await expectNothingRan(id);
    const session = await path.sessionOf(insert(id));
    expect((await path.recording(session.id))[0]).toEqual(['i', insert(id)]);
    // The auditor sees which rule failed and why. The effective policy of the
    // connection shows it even before a script runs.
    const told = (await path.read(session.id, '', 'auditor')).body.guardrails_info;
    expect(told).toMatchObject([
      { rule_name: `broken-${id}`, direction: 'output', fault: expect.any(String) },
    ]);
    expect(policy.body.guardrails).toMatchObject([
      { name: `broken-${id}`, fault: `broken-${id}: ${told[0].fault}` },
    ]);
  });

  describe('that is being stopped', () => {
    let leaving: DataPath;

    afterEach(() => leaving.close());

    it('cancels running scripts after the grace period, and closes their sessions', async () => {
      leaving = await startDataPath({ SHUTDOWN_GRACE_SECONDS: '0' });
      const script = 'SELECT pg_sleep(30) AS shutdown';
      const answer = leaving.run(script);
      await leaving.untilRunning(/AS shutdown/);
      await leaving.gateway.app.close();
      expect((await answer).body).toMatchObject({
        output: expect.stringMatching(/57014\)\nThe gateway was stopped while the script ran\.\n$/),
        output_status: 'failed',
        exit_code: 254,
      });
      expect(await runningOn(leaving.target)).toEqual([]);
      expect(await leaving.sessionOf(script)).toMatchObject({ status: 'done', exit_code: 254 });
    });

    it('lets a script finish within the grace period', async () => {
      leaving = await startDataPath({ SHUTDOWN_GRACE_SECONDS: '120' });
      const latch = await closedLatch(leaving.target);
      const answer = leaving.run(`SELECT ${latch.wait}, 'finished' AS shutdown`);
      await leaving.untilRunning(/AS shutdown/);
      const closing = leaving.gateway.app.close();
      await latch.open();
      await closing;
      expect((await answer).body).toMatchObject({ output_status: 'success', exit_code: 0 });
    });
  });
});
