import { once } from 'node:events';
import { Client, Query } from 'pg';
import postgres from 'postgres';
import { describeWirePath } from '../../support/describe';
import { PsqlTerminal } from '../../support/psql';
import { describeWith } from '../../support/tls';
import { cancelOn } from '../../support/pg-parts';

jest.setTimeout(480_000);

const CANCELED = '57014';

/**
 * Presses Ctrl-C until psql has ended its COPY. Only while psql waits for a line of data does the key end the
 * COPY. Between two lines it sends a cancel request, which PostgreSQL ignores while it reads data, and which
 * psql shows: a person presses the key again.
 */
async function endsCopy(terminal: PsqlTerminal): Promise<void> {
  const ended = 'ERROR:  COPY from stdin failed: canceled by user';
  await terminal.until('>>');
  for (;;) {
    terminal.type('\x03');
    const { shown } = await terminal.untilOneOf([ended, 'Cancel request sent']);
    if (shown === ended) return;
  }
}

/** Each driver cancels a query with a separate connection, and its session must continue. */
describeWirePath('canceling', ({ path }) => {
  const untilNothingRuns = async (mark: string): Promise<void> => {
    const rows = await path.target.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE $1
         AND pid <> pg_backend_pid()`,
      [`%${mark}%`],
    );
    expect(rows).toEqual([]);
  };

  describeWith('psql', 'script')('by Ctrl-C in psql', () => {
    it.each(['C.UTF-8', 'C'])('stops what runs, and the next statement runs (locale %s)', async (locale) => {
      const terminal = new PsqlTerminal(path.through, { LC_ALL: locale });
      try {
        await terminal.until('ready>');
        terminal.type("SELECT pg_sleep(300), 'by psql';\r");
        await path.untilRuns(path.target, "%'by psql'%");
        terminal.type('\x03');
        await terminal.until('ERROR:  canceling statement due to user request');
        await terminal.until('ready>');
        await untilNothingRuns('by psql');
        terminal.type("SELECT 'goes' || ' on ' || length('größe');\r\\encoding\r");
        await terminal.until('goes on 5');
        await terminal.until('UTF8');
        await terminal.leave();
      } finally {
        terminal.kill();
      }
      expect((await path.lastRecording()).filter(([type]) => type === 'e')).toEqual([
        ['e', 'ERROR: canceling statement due to user request (SQLSTATE 57014)\n'],
      ]);
    });

    it('leaves COPY data and a transaction as the server has them', async () => {
      const terminal = new PsqlTerminal(path.through);
      try {
        await terminal.until('ready>');
        terminal.type('BEGIN;\rCOPY customers FROM STDIN;\r77\tgone\t\\N\r');
        await endsCopy(terminal);
        terminal.type("SELECT 'in a failed transaction';\r");
        await terminal.until('ERROR:  current transaction is aborted');
        terminal.type("ROLLBACK;\rSELECT 'count is ' || count(*) FROM customers;\r");
        await terminal.until('count is 2');
        await terminal.leave();
      } finally {
        terminal.kill();
      }
    });
  });

  it('by node-postgres', async () => {
    const client = new Client(path.through);
    await client.connect();
    try {
      const running = client.query(new Query("SELECT pg_sleep(300), 'by pg'"));
      const failed = once(running, 'error').then(([error]) => (error as { code: string }).code);
      await path.untilRuns(path.target, "%'by pg'%");
      cancelOn(path.through, client, running);
      expect(await failed).toBe(CANCELED);
      expect((await client.query("SELECT 'goes on' AS what")).rows).toEqual([{ what: 'goes on' }]);
    } finally {
      await client.end();
    }
  });

  it('by postgres, of one query among several', async () => {
    const sql = postgres({ ...path.through, username: path.through.user, max: 2, onnotice: () => undefined });
    try {
      const kept = sql`SELECT pg_sleep(1), 'kept' AS what`.execute();
      const running = sql`SELECT pg_sleep(300), 'by postgres'`.execute();
      const failed = running.then(
        () => 'ran',
        (error: { code: string }) => error.code,
      );
      await path.untilRuns(path.target, "%'by postgres'%");
      running.cancel();
      expect(await failed).toBe(CANCELED);
      expect((await kept)[0]).toMatchObject({ what: 'kept' });
      expect(await sql`SELECT 'goes on' AS what`).toEqual([{ what: 'goes on' }]);
    } finally {
      await sql.end();
    }
  });
});
