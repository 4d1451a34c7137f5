import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describeProcesses } from '../support/describe';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { type Person, passwordToken } from '../support/gateway';
import { GatewayProcess } from '../support/gateway-process';
import { Random } from '../support/ledger/random';
import { forAll } from '../support/for-all';
import { figure } from '../support/mcp/figures';
import { RawClient } from '../support/mcp/raw-client';
import { json, rawModern } from '../support/mcp/raw-server';
import { volume } from '../support/volume';
import { SEED } from '../support/seed';

/** Number of kills, which `npm run test:mcp` sets to a higher number (scripts/test-mcp.mjs), and the seed. */
const { MCP_KILLS, MCP_SEED = String(SEED) } = process.env;
const KILLS = Number(MCP_KILLS ?? volume(3, 20));
/**
 * Number of gateways that are killed in parallel, so that one works while another starts. Each needs three
 * kills, because every third call is a held call and the others are repeated calls.
 */
const VICTIMS = Math.min(3, Math.ceil(KILLS / 3));
const STARTS_WITHIN_MS = 120_000;
const TOOL = 'delete_rows';

jest.setTimeout(300_000 + KILLS * 30_000);

/** A call that was approved, and its answer. */
interface ApprovedCall {
  readonly marker: string;
  readonly review: string;
  /** The answer that the client got from the killed gateway, or `cut` if none arrived. */
  readonly answer: string;
}

describeProcesses(
  `calls whose gateway is killed between the approval and the answer, from seed ${MCP_SEED}`,
  (given) => {
    const { begin, database, folder, production } = given;
    const random = new Random(MCP_SEED).of('kills');
    /** Number of runs at the server for each call, by the marker of the call. */
    const ledger = new Map<string, number>();
    /** Functions to call when a call reaches the server, by the marker of the call. */
    const arrivals = new Map<string, () => void>();
    const server = begin(() =>
      rawModern(({ body }, response) => {
        const answer = (result: object): void =>
          json(response, { jsonrpc: '2.0', id: body.id, result: { resultType: 'complete', ...result } });
        if (body.method === 'tools/list')
          return answer({ tools: [{ name: TOOL, inputSchema: { type: 'object' } }] });
        const marker = String(body.params.arguments.marker);
        arrivals.get(marker)?.();
        // The tool runs even if its client has disconnected.
        setTimeout(
          () => {
            ledger.set(marker, (ledger.get(marker) ?? 0) + 1);
            setTimeout(
              () => answer({ content: [{ type: 'text', text: `ran ${marker}` }] }),
              random.between(0, 20),
            );
          },
          random.between(0, 20),
        );
      }),
    );

    const tokens = new Map<Person, { readonly token: Promise<string>; readonly at: number }>();
    const tokenOf = (person: Person): Promise<string> => {
      const known = tokens.get(person);
      if (known !== undefined && Date.now() - known.at < 120_000) return known.token;
      const token = passwordToken(production.provider.issuer, person);
      tokens.set(person, { token, at: Date.now() });
      return token;
    };
    async function ask(gateway: GatewayProcess, method: string, path: string, body?: unknown) {
      const response = await fetch(`${gateway.api}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await tokenOf('admin')}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch((cause: unknown) => {
        throw new Error(`${method} ${path}: ${gateway.describe()}`, { cause });
      });
      // Bodies have many shapes, so their type is `any`.
      // oxlint-disable-next-line typescript/no-explicit-any
      const answered: { status: number; body: any } = {
        status: response.status,
        body: await response.json(),
      };
      if (!response.ok)
        throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answered.body)}`);
      return answered.body;
    }

    async function started(name: string, holdSeconds: number): Promise<GatewayProcess> {
      const gateway = await GatewayProcess.spawn({
        ...production.variables,
        PORT: String(await freePort()),
        DATA_DIR: join(folder.path, name),
        // This test has no PostgreSQL clients, so the gateway needs no fixed port for them.
        POSTGRES_PROXY_PORT: '0',
        HEARTBEAT_SECONDS: '1',
        LOG_LEVEL: 'error',
        MCP_ALLOWED_HOSTS: '127.0.0.1',
        MCP_HOLD_SECONDS: String(holdSeconds),
      });
      const look = async () => {
        // If the gateway has ended, a process of another test run may have its port and would answer instead.
        if (gateway.hasEnded) throw new Error(gateway.describe());
        return (await gateway.get('/readyz').catch(() => undefined))?.ok;
      };
      await eventually('the gateway is ready', look, STARTS_WITHIN_MS);
      return gateway;
    }

    const clientOf = ({ api }: GatewayProcess, connection: string): RawClient =>
      new RawClient({ endpoint: (name) => `${api}/mcp/${name}`, gateway: { token: tokenOf } }, connection);

    /** Calls the tool. Returns the text of the result, or `cut` if no answer arrived. */
    async function called(gateway: GatewayProcess, connection: string, marker: string): Promise<string> {
      return clientOf(gateway, connection)
        .call(TOOL, { marker })
        .then(
          ({ text, message }) => (message?.result?.content?.[0]?.text as string | undefined) ?? text,
          () => 'cut',
        );
    }

    it('run once or not at all, are recorded, and behave as promised when they are repeated', async () => {
      const witness = await started('witness', 0);
      const broken: string[] = [];
      const counts = {
        kills: 0,
        kills_too_late: 0,
        approved: 0,
        ran: 0,
        unknown: 0,
        not_run: 0,
        unrecorded: 0,
        twice: 0,
      };
      const approved: ApprovedCall[] = [];
      const ran = (marker: string): number => ledger.get(marker) ?? 0;
      const approve = (review: string) => ask(witness, 'PUT', `/reviews/${review}`, { status: 'APPROVED' });
      const waiting = async (connection: string, marker: string): Promise<string> => {
        const answer = await called(witness, connection, marker);
        const [, review] = /review ([0-9a-f-]{36})/.exec(answer) ?? [];
        if (review === undefined) throw new Error(`${marker} does not wait for a review: ${answer}`);
        return review;
      };

      /**
       * Starts and kills gateways until there are enough kills. Returns a last gateway that uses their data
       * folder.
       */
      async function victim(index: number): Promise<GatewayProcess> {
        const { name } = await ask(witness, 'POST', '/connections', {
          name: `ledger-${index}`,
          type: 'application',
          subtype: 'mcpproxy',
          access_groups: ['*'],
          secret: { REMOTE_URL: server.url },
          mcp_policy: { tools: { approval: [TOOL] } },
        });
        /**
         * Usual milliseconds from the approval to the answer, by kind of call. Half of the kills come in this
         * time.
         */
        const spans = { repeated: 150, held: 1_200 };
        for (let round = 0; counts.kills < KILLS; round += 1) {
          const gateway = await started(`victim-${index}`, 60);
          const kind = round % 3 === 2 ? 'held' : 'repeated';
          const marker = `${kind}-${index}-${round}`;
          const holding = kind === 'held' ? called(gateway, name, marker) : undefined;
          // The same call through another gateway waits for the same review.
          const review = await waiting(name, marker);
          // Starts the client's MCP session and loads the tools first, so that the kill interrupts only the
          // call.
          await clientOf(gateway, name).modern('tools/list');
          await approve(review);
          const arrived = new Promise<void>((resolve) => arrivals.set(marker, resolve));
          const answering = holding ?? called(gateway, name, marker);
          // In every second round, the kill comes while the server works on the call.
          if (round % 2 === 0) await pause(random.between(0, Math.round(spans[kind])));
          else await Promise.race([arrived.then(() => pause(random.between(0, 40))), answering]);
          gateway.kill('SIGKILL');
          const { signal } = await gateway.exited;
          if (signal !== 'SIGKILL')
            throw new Error(`the gateway ended by itself: ${gateway.stdout}${gateway.stderr}`);
          const answer = await answering;
          if (answer === 'cut') counts.kills += 1;
          else counts.kills_too_late += 1;
          approved.push({ marker, review, answer });
          // Waits, because a call that was forwarded may still be running at the server.
          await pause(80);
          const before = ran(marker);
          const factor = answer !== 'cut' ? 0.7 : before === 0 ? 1.3 : 1;
          if (round % 2 === 0) spans[kind] = Math.min(5_000, Math.max(20, spans[kind] * factor));
          const again = await called(witness, name, marker);
          if (again === `ran ${marker}`) {
            counts.not_run += 1;
            if (before !== 0 || answer === `ran ${marker}`)
              broken.push(`${marker} ran although it had run: ${before}, ${answer}`);
          } else if (!/review [0-9a-f-]{36}/.test(again) || again.includes(review))
            broken.push(`${marker} was answered with: ${again}`);
          // Repeats the call. It must not run a second time, because its approval is used.
          await called(witness, name, marker);
          if (ran(marker) > 1) counts.twice += 1;
        }
        // The last gateway takes over the recordings of the killed gateways.
        const last = await started(`victim-${index}`, 60);
        await eventually(
          'its sessions are closed',
          async () => {
            const open = await database.query(
              `SELECT FROM sessions WHERE connection_name = $1 AND status <> 'done'`,
              [name],
            );
            // One session may be open, because the witness gateway still uses it.
            return open.length <= 1;
          },
          STARTS_WITHIN_MS,
        );
        return last;
      }

      const [reader, ...others] = (await Promise.all(
        Array.from({ length: VICTIMS }, (_, index) => victim(index)),
      )) as [GatewayProcess, ...GatewayProcess[]];
      // Stops all gateways but the reader, through which no call went.
      await Promise.all([witness, ...others].map((gateway) => gateway.stop()));

      // For each call, the review and the ledger of runs at the server must agree on the outcome.
      const settled = new Set(['EXECUTED', 'UNKNOWN']);
      await eventually(
        'no approval is being used',
        async () => (await database.query(`SELECT FROM reviews WHERE status = 'PROCESSING'`)).length === 0,
        4 * STARTS_WITHIN_MS,
      );
      const recorded: string[] = [];
      const sessions = await database.query<{ id: string }>('SELECT id FROM sessions');
      await forAll(sessions, 4, async ({ id }) => {
        const { event_stream: events } = await ask(reader, 'GET', `/sessions/${id}?expand=event_stream`);
        for (const [, type, content] of events as [number, string, string][])
          if (type === 'i') recorded.push(Buffer.from(content, 'base64').toString());
      });
      for (const { marker, review, answer } of approved) {
        const { status } = await ask(reader, 'GET', `/reviews/${review}`);
        counts.approved += 1;
        if (status === 'EXECUTED') counts.ran += 1;
        else if (status === 'UNKNOWN') counts.unknown += 1;
        const isRecorded =
          settled.has(status) && (ran(marker) === 0 || recorded.some((text) => text.includes(`"${marker}"`)));
        if (!isRecorded) counts.unrecorded += 1;
        if (!isRecorded) broken.push(`${marker} is ${status}, ran ${ran(marker)} times, and is not recorded`);
        if (status === 'EXECUTED' && ran(marker) !== 1)
          broken.push(`${marker} is EXECUTED and ran ${ran(marker)} times`);
        if (answer === `ran ${marker}` && status !== 'EXECUTED')
          broken.push(`${marker} was answered, and is ${status}`);
      }
      await reader.stop();
      figure('kills', { ...counts, broken_promises: broken.length });
      expect(broken.slice(0, 10)).toEqual([]);
      expect(counts).toMatchObject({ twice: 0, unrecorded: 0 });
      expect(Math.max(...ledger.values())).toBe(1);
      expect(counts.kills).toBeGreaterThanOrEqual(KILLS);
    });
  },
);
