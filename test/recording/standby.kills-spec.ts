import { appendFileSync } from 'node:fs';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import type { GatewayProcess } from '../support/gateway-process';
import { Clients } from '../support/ledger/clients';
import { inspectAll } from '../support/ledger/evidence';
import { killDatabases, settled } from '../support/ledger/faults';
import { Ledger } from '../support/ledger/ledger';
import { type LedgerWorld, ledgerWorldOn } from '../support/ledger/ledger-world';
import { Random } from '../support/ledger/random';
import { ReplicatedPostgres } from '../support/ledger/replicated-postgres';
import { scrapeMetrics, sumOf } from '../support/scrape';
import { volume } from '../support/volume';

/** `npm run test:faults` sets these variables for a longer run (scripts/test-faults.mjs). */
const { LEDGER_FAILOVERS, LEDGER_REPORT, RECORDING_MODE } = process.env;
const { LEDGER_SEED = 'standby' } = process.env;
const FAILOVERS = Number(LEDGER_FAILOVERS ?? volume(1, 3));
const LISTS = volume(20, 300);
const PROBES_EVERY_MS = 50;

// The limit is generous, because a busy machine takes much longer.
jest.setTimeout(720_000 + FAILOVERS * 120_000);

interface Listed {
  readonly data: readonly { readonly id: string }[];
}

describe(`a database with a synchronous standby, from seed ${LEDGER_SEED}`, () => {
  let world: LedgerWorld<ReplicatedPostgres>;
  let other: GatewayProcess;
  let token: string;
  let metricsPort: string;

  beforeAll(async () => {
    metricsPort = String(await freePort());
    world = await ledgerWorldOn(
      (folder) => ReplicatedPostgres.start(folder),
      ({ replicaUrl }) => ({
        DATABASE_REPLICA_URL: replicaUrl,
        ...(RECORDING_MODE === undefined ? {} : { RECORDING_MODE }),
      }),
    );
    other = await world.startAnother({ METRICS_PORT: metricsPort });
    token = await world.token();
  });

  afterAll(async () => {
    other.kill('SIGKILL');
    await other.exited;
    await world.close();
  });

  const readsFrom = async (read: string): Promise<number> =>
    sumOf(await scrapeMetrics(metricsPort), 'gateway_replica_reads_total', { read });

  async function run(gateway: GatewayProcess, script: string): Promise<string> {
    const response = await gateway.post('/sessions', token, { connection: 'orders', script });
    const { session_id } = (await response.json()) as { session_id: string };
    expect(response.status).toBe(200);
    return session_id;
  }

  async function answer<T>(path: string): Promise<T> {
    const response = await other.get(path, token);
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  }

  /** Runs scripts at one gateway. The other must list each session at once, and soon find it by a search. */
  async function expectOwnWrites(times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      const word = `word${LEDGER_SEED}${time}n${Date.now()}`;
      const id = await run(world.gateway(), `SELECT '${word}'`);
      const list = await answer<Listed>('/sessions?limit=5');
      expect(list.data.map((session) => session.id)).toContain(id);
      // The search finds the script only when its words are stored with the recording, a moment later.
      const search = async () => (await answer<Listed>(`/sessions?q=${word}`)).data.length === 1;
      await eventually('the script is found by its word', search);
    }
  }

  async function untilUsedAgain(): Promise<void> {
    const before = await readsFrom('replica');
    const isUsedAgain = async () => {
      await answer('/sessions?limit=1');
      return (await readsFrom('replica')) > before;
    };
    await eventually('the standby is asked again', isUsedAgain);
  }

  // promises: REPLICA-1, REPLICA-2
  it('answers lists and searches, and none of them is older than what was done before', async () => {
    const before = await readsFrom('replica');
    await expectOwnWrites(LISTS);
    expect(await readsFrom('replica')).toBeGreaterThanOrEqual(before + LISTS);
    const seen = await world.database.connectedToStandby(async (client) => {
      const { rows } = await client.query<{ query: string }>(
        `SELECT query FROM pg_stat_activity WHERE application_name = 'access-gateway lists'`,
      );
      return rows.length;
    });
    expect(seen).toBeGreaterThan(0);
    expect((await answer<{ data: unknown[] }>('/audit/logs?page_size=1')).data).toHaveLength(1);
  });

  // promises: REPLICA-2
  it('that is a minute behind is not asked: nobody reads their own decision as undecided', async () => {
    await world.database.holdStandbyBack('60s');
    try {
      const rule = {
        name: 'standby_rule',
        access_type: 'command',
        connection_names: ['orders'],
        approval_required_groups: [],
        all_groups_must_approve: false,
        reviewers_groups: ['admin'],
        min_approvals: 1,
        force_approval_groups: ['admin'],
      };
      expect((await world.gateway().post('/access-requests/rules', token, rule)).status).toBe(201);
      const waiting = await world.gateway().post('/sessions', token, {
        connection: 'orders',
        script: 'SELECT 1',
      });
      const { review_id } = (await waiting.json()) as { review_id: string };
      expect(waiting.status).toBe(202);
      const statuses = async () =>
        (await answer<{ data: { id: string; status: string }[] }>('/reviews?page_size=10')).data
          .filter(({ id }) => id === review_id)
          .map(({ status }) => status);
      expect(await statuses()).toEqual(['PENDING']);
      const decided = await fetch(`${world.api}/reviews/${review_id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'REVOKED' }),
      });
      expect(decided.status).toBe(200);
      expect(await statuses()).toEqual(['REVOKED']);
      expect(await readsFrom('behind')).toBeGreaterThan(0);
    } finally {
      await world.database.holdStandbyBack('0');
      await fetch(`${world.api}/access-requests/rules/standby_rule`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      });
    }
    await untilUsedAgain();
  });

  // promises: REPLICA-3
  it('that is gone costs no answer', async () => {
    await world.database.hideStandby(true);
    await expectOwnWrites(2);
    expect(await readsFrom('away')).toBeGreaterThan(0);
    await world.database.hideStandby(false);
    await untilUsedAgain();
  });

  // promises: REPLICA-3
  it('that is frozen costs no answer: its connections are open, and silent', async () => {
    const before = await readsFrom('away');
    world.database.freezeStandby(true);
    try {
      await expectOwnWrites(2);
    } finally {
      world.database.freezeStandby(false);
    }
    expect(await readsFrom('away')).toBeGreaterThan(before);
    await untilUsedAgain();
  });

  // promises: REPLICA-3
  it('that was promoted is none any more', async () => {
    await world.database.replaceStandby(true);
    const before = await readsFrom('replica');
    await expectOwnWrites(2);
    expect(await readsFrom('replica')).toBe(before);
    await world.database.replaceStandby(false);
    await untilUsedAgain();
  });

  // promises: FAILOVER-1
  it('loses and doubles nothing when the standby takes the place of the killed server under load', async () => {
    const ledger = new Ledger();
    const random = new Random(LEDGER_SEED).of('failover');
    const batches = ['failover', 'failoverother'];
    const apis = [world.api, other.api];
    const clients = batches.map(
      (batch, at) =>
        new Clients({ api: apis[at] ?? '', token: world.token, ledger, random: random.of(batch), batch }),
    );
    const probes = apis.map((api) => watchAvailability(api, token));
    try {
      await killDatabases(world, ledger, FAILOVERS, random.of('faults'));
    } finally {
      for (const client of clients) await client.stop();
    }
    const longest = await Promise.all(probes.map((probe) => probe.stop()));
    await settled(world);
    const counts = [];
    for (const batch of batches) counts.push(await inspectAll(world, ledger, batch));
    const rows = await world.target.query<{ marker: string }>(
      `SELECT marker FROM ledger WHERE starts_with(marker, 'mark-failover')`,
    );
    const verdict = ledger.verdict(rows.map(({ marker }) => marker));
    const { sent, acknowledged } = ledger;
    const unavailable = Math.max(...longest);
    const sums = counts.reduce<Record<string, number>>((sum, count) => {
      for (const [name, value] of Object.entries(count)) sum[name] = (sum[name] ?? 0) + value;
      return sum;
    }, {});
    const report = { killed: 'database with standby', kills: FAILOVERS, sent, acknowledged, ...sums };
    const answers = { ...clients[0]?.answers, unavailable_ms: Math.round(unavailable) };
    if (LEDGER_REPORT === undefined)
      console.log(`failover: ${JSON.stringify({ ...report, ...answers, lost: verdict.lost })}`);
    else appendFileSync(LEDGER_REPORT, `${JSON.stringify({ ...report, answers, ...verdict })}\n`);
    expect({ ...verdict, findings: verdict.findings.slice(0, 20) }).toEqual({
      lost: 0,
      duplicated: 0,
      torn: 0,
      left_open: 0,
      findings: [],
    });
  });
});

/** Lists sessions again and again. `stop` returns the longest time without an answer, in milliseconds. */
function watchAvailability(api: string, token: string): { stop(): Promise<number> } {
  const over = new AbortController();
  let longest = 0;
  const watching = (async () => {
    let answered = performance.now();
    while (!over.signal.aborted) {
      const response = await fetch(`${api}/sessions?limit=1`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(5_000),
      }).catch(() => undefined);
      await response?.text().catch(() => undefined);
      const now = performance.now();
      if (response?.status === 200) {
        longest = Math.max(longest, now - answered);
        answered = now;
      }
      await new Promise((later) => setTimeout(later, PROBES_EVERY_MS));
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await watching;
      return longest;
    },
  };
}
