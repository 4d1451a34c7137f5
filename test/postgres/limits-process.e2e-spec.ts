import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/gateway-process';
import { PostgresProcess } from '../support/postgres-process';
import { wireUnder } from '../support/pg-parts';

const MEBIBYTE = 1024 * 1024;
/** If no byte moves for this many milliseconds, all buffers between client and target are full. */
const STILL_MS = 3_000;

/** Runs the tests on Linux only, because only Linux reports the memory of a process in `/proc`. */
const describeOnLinux = existsSync('/proc/self/status') ? describe : describe.skip;

/** Data that a client or a target does not read wait at their source, not in the gateway. */
describeOnLinux('a gateway process that carries much (only Linux tells what it takes)', () => {
  let gateway: PostgresProcess;

  beforeAll(async () => {
    gateway = await PostgresProcess.start();
    await gateway.connect('in-detail', { record_results: true });
  }, 480_000);

  afterAll(() => gateway.close());

  const tell = (what: string, bytes: number): void =>
    console.info(`${what}: the gateway grew by ${Math.round(bytes / MEBIBYTE)} MiB`);

  it.each(['orders', 'in-detail'])(
    'holds the target back whose client does not read 1 GB (%s)',
    async (connection) => {
      const visitor = await gateway.enter(connection);
      const { client, socket, name } = visitor;
      let read = 0;
      const grown = await gateway.growthDuring(async () => {
        client.query("SELECT repeat('x', 1000) FROM generate_series(1, 1000000)").catch(() => undefined);
        // Reads the first 20 MiB, so that all buffers between target and client are in use.
        await new Promise<void>((flowing) => {
          socket.on('data', (bytes: Buffer) => {
            read += bytes.length;
            if (read < 20 * MEBIBYTE) return;
            socket.pause();
            flowing();
          });
        });
        await delay(STILL_MS);
        expect(await gateway.isAtWork(name)).toBe(true);
      });
      tell(`a client that stops reading 1 GB (${connection})`, grown);
      expect(grown).toBeLessThan(150 * MEBIBYTE);
      socket.resetAndDestroy();
      await until(() => gateway.nobodyIsLeft());
      expect(await gateway.done(visitor)).toMatchObject({ exit_code: 2 });
    },
    240_000,
  );

  it.each(['orders', 'in-detail'])(
    'holds the client back whose target does not read 200 MB of COPY data (%s)',
    async (connection) => {
      await gateway.target.query(
        `CREATE TABLE IF NOT EXISTS copied (line text);
       CREATE OR REPLACE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$;
       CREATE OR REPLACE TRIGGER wait BEFORE INSERT ON copied FOR EACH ROW EXECUTE FUNCTION wait()`,
      );
      const visitor = await gateway.enter(connection);
      const { client, socket, name } = visitor;
      const piece = messageOf('d', `${'x'.repeat(65_000)}\n`);
      let sent = 0;
      const grown = await gateway.growthDuring(async () => {
        const asked = new Promise<void>((copies) => {
          wireUnder(client).once('copyInResponse', () => copies());
        });
        socket.write(messageOf('Q', 'COPY copied FROM STDIN\0'));
        await asked;
        while (sent < 200 * MEBIBYTE) {
          const goesOn = socket.write(piece);
          sent += piece.length;
          if (goesOn) continue;
          const drained = new Promise((drain) => socket.once('drain', () => drain(true)));
          if (!(await Promise.race([drained, delay(STILL_MS, false)]))) break;
        }
        expect(await gateway.isAtWork(name)).toBe(true);
      });
      tell(
        `a target that does not read COPY data (${connection}), after ${Math.round(sent / MEBIBYTE)} MiB`,
        grown,
      );
      expect(sent).toBeLessThan(100 * MEBIBYTE);
      expect(grown).toBeLessThan(150 * MEBIBYTE);
      // The gateway has paused reading from this client, but a kill must still disconnect client and target.
      const { id } = await gateway.session(visitor);
      const killed = await gateway.running.post(`/sessions/${id}/kill`, gateway.token);
      expect([202, 204]).toContain(killed.status);
      expect(await visitor.lastWords).toBe('FATAL 57P01: The session was ended by admin@example.com.');
      await until(() => gateway.nobodyIsLeft());
      expect(await gateway.done(visitor)).toMatchObject({ exit_code: 254 });
    },
    240_000,
  );
});

function messageOf(type: string, body: string): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`);
  head.writeInt32BE(Buffer.byteLength(body) + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}
