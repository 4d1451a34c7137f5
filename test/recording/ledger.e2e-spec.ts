import { appendFileSync } from 'node:fs';
import { Clients } from '../support/ledger/clients';
import { inspectAll, inspectWire } from '../support/ledger/evidence';
import { killDatabases, killGateways, settled } from '../support/ledger/faults';
import { Ledger } from '../support/ledger/ledger';
import { type LedgerWorld, startLedgerWorld } from '../support/ledger/ledger-world';
import { Random } from '../support/ledger/random';
import { WireClients } from '../support/ledger/wire-clients';
import { WireLedger } from '../support/ledger/wire-ledger';
import { volume } from '../support/volume';
import { SEED } from '../support/seed';

/** `npm run test:faults` sets these variables for a longer run (scripts/test-faults.mjs). */
const { LEDGER_KILLS, LEDGER_DATABASE_KILLS = '1', LEDGER_REPORT, RECORDING_MODE } = process.env;
const { LEDGER_SEED = String(SEED) } = process.env;
const KILLS = Number(LEDGER_KILLS ?? volume(1, 3));
/** Number of gateway kills in the test with PostgreSQL clients. */
const WIRE_KILLS = Number(LEDGER_KILLS ?? volume(1, 2));
const DATABASE_KILLS = Number(LEDGER_DATABASE_KILLS);

// The limit is generous, because a busy machine takes much longer.
jest.setTimeout(720_000 + (KILLS + WIRE_KILLS + DATABASE_KILLS) * 120_000);

describe(`recordings compared with what clients received, from seed ${LEDGER_SEED}`, () => {
  let world: LedgerWorld;

  beforeAll(async () => {
    world = await startLedgerWorld(RECORDING_MODE === undefined ? {} : { RECORDING_MODE });
  });

  afterAll(() => world.close());

  async function verdictAfter(what: string, times: number, faults: typeof killGateways): Promise<object> {
    const ledger = new Ledger();
    const random = new Random(LEDGER_SEED).of(what);
    const { api, token } = world;
    const clients = new Clients({ api, token, ledger, random, batch: what });
    try {
      await faults(world, ledger, times, random.of('faults'));
    } finally {
      await clients.stop();
    }
    await settled(world);
    const counts = await inspectAll(world, ledger, what);
    const rows = await world.target.query<{ marker: string }>(
      'SELECT marker FROM ledger WHERE starts_with(marker, $1)',
      [`mark-${what}-`],
    );
    const verdict = ledger.verdict(rows.map(({ marker }) => marker));
    const { sent, acknowledged } = ledger;
    return told(
      { killed: what, kills: times, sent, acknowledged, ...counts, answers: clients.answers },
      verdict,
    );
  }

  async function verdictOfWire(): Promise<object> {
    const ledger = new WireLedger();
    const random = new Random(LEDGER_SEED).of('wire');
    const clients = new WireClients(world, ledger, random);
    try {
      await killGateways(world, ledger, WIRE_KILLS, random.of('faults'));
      await killDatabases(world, ledger, DATABASE_KILLS, random.of('database faults'));
    } finally {
      await clients.stop();
    }
    await settled(world);
    const counts = await inspectWire(world, ledger);
    const rows = await world.target.query<{ marker: string }>(
      `SELECT marker FROM ledger WHERE starts_with(marker, 'mark-wire-')`,
    );
    const verdict = ledger.verdict(rows.map(({ marker }) => marker));
    const { sent, acknowledged } = ledger;
    return told(
      { killed: 'gateway (wire)', kills: WIRE_KILLS, sent, acknowledged, ...counts, answers: {} },
      verdict,
    );
  }

  function told(report: object, verdict: { readonly findings: readonly string[] }): object {
    if (LEDGER_REPORT !== undefined)
      appendFileSync(LEDGER_REPORT, `${JSON.stringify({ ...report, ...verdict })}\n`);
    return { seed: LEDGER_SEED, ...verdict, findings: verdict.findings.slice(0, 20) };
  }

  const flawless = { seed: LEDGER_SEED, lost: 0, duplicated: 0, torn: 0, left_open: 0, findings: [] };

  it('agrees when gateways are killed at any time', async () => {
    expect(await verdictAfter('gateway', KILLS, killGateways)).toEqual(flawless);
  });

  it('agrees when clients speak the protocol of the target', async () => {
    expect(await verdictOfWire()).toEqual(flawless);
  });

  it('agrees when the database server is killed at any time', async () => {
    expect(await verdictAfter('database', DATABASE_KILLS, killDatabases)).toEqual(flawless);
    // The gateway survived all kills of the database server, and still stops regularly.
    expect(await world.gateway().stop()).toEqual({ code: 0, signal: null });
  });
});
