import { auditLineOf } from '../support/audit';
import { describeDataPath } from '../support/describe';
import { keepFeedDown } from '../support/feed';

const SCRIPTS = 60;
const MANY = { environment: { SCRIPTS_PER_USER: '100', SCRIPTS_PER_CONNECTION: '100' } };

/**
 * The gateway writes rows of concurrent scripts together. Each row must be as if its script had run alone.
 */
describeDataPath('scripts that come at the same time', MANY, ({ path }) => {
  /** A reason. It may contain only the characters that names may contain. */
  const why = (n: number) => `"${n}" \\ ' ß 漢字 🂡 é`;
  const said = (n: number) => `"${n}" \\ \u2028 ' ß 漢字 🂡 e\u0301`;

  it('have each their own session, and a line of the audit log that verifies', async () => {
    const answers = await Promise.all(
      Array.from({ length: SCRIPTS }, (_, n) =>
        path.run(`SELECT ${n} AS n`, {
          reason: why(n),
          labels: { n: String(n) },
          metadata: { said: said(n), list: [n, null, { n }] },
          correlation_id: `c-${n}`,
        }),
      ),
    );
    for (const [n, { status, body }] of answers.entries()) {
      expect([status, body.output]).toEqual([200, `n\n${n}\n`]);
      expect((await path.read(body.session_id as string)).body).toMatchObject({
        script: { data: `SELECT ${n} AS n` },
        reason: why(n),
        labels: { n: String(n) },
        metadata: { said: said(n), list: [n, null, { n }] },
        correlation_id: `c-${n}`,
        status: 'done',
        exit_code: 0,
      });
    }
    const ids = answers.map(({ body }) => body.session_id as string);
    expect(new Set(ids).size).toBe(SCRIPTS);
    for (const [n, answer] of answers.entries())
      expect(await auditLineOf(path.gateway, answer)).toMatchObject({
        resource_type: 'sessions',
        resource_id: ids[n],
        changes: [{ field: 'reason', before: null, after: why(n) }],
      });
    const log = await path.gateway.call('admin', 'GET', '/audit/logs?resource_type=sessions');
    expect(log.body.pages.total).toBe(SCRIPTS);
    expect((await path.gateway.call('admin', 'GET', '/audit/verify')).body).toMatchObject({ valid: true });
  });

  it('do not suffer from one whose row the database refuses', async () => {
    await path.gateway.database.query(
      `ALTER TABLE sessions ADD CONSTRAINT sessions_unlucky_check CHECK (correlation_id <> 'unlucky') NOT VALID`,
    );
    try {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          path.run('SELECT 1', { correlation_id: n === 5 ? 'unlucky' : 'lucky' }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(
        Array.from({ length: 20 }, (_, n) => (n === 5 ? 500 : 200)),
      );
    } finally {
      await path.gateway.database.query('ALTER TABLE sessions DROP CONSTRAINT sessions_unlucky_check');
    }
  });
});

/** Tests that a script's target comes from memory only while the gateway receives every change. */
describeDataPath('the connection of a script', ({ path }) => {
  const statusOf = async (): Promise<number> => (await path.run('SELECT 1')).status;
  const setExec = (mode: string) =>
    path.gateway.database.query(`UPDATE connections SET access_mode_exec = $1 WHERE name = 'orders'`, [mode]);

  it('is the current one for the script after a change', async () => {
    for (const mode of ['disabled', 'enabled', 'disabled', 'enabled']) {
      const answer = await path.gateway.call('admin', 'PATCH', '/connections/orders', {
        access_mode_exec: mode,
      });
      expect(answer.status).toBe(200);
      expect(await statusOf()).toBe(mode === 'enabled' ? 200 : 403);
    }
  });

  it('is the current one also while nobody tells of changes', async () => {
    expect(await statusOf()).toBe(200);
    const up = await keepFeedDown(path.gateway);
    try {
      for (const mode of ['disabled', 'enabled', 'disabled', 'enabled']) {
        await setExec(mode);
        expect(await statusOf()).toBe(mode === 'enabled' ? 200 : 403);
      }
    } finally {
      await up();
    }
  });
});
