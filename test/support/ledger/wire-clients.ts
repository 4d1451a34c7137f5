import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { volume } from '../volume';
import type { LedgerWorld } from './ledger-world';
import type { Random } from './random';
import { type WireLedger, type WireStatement, planStatement } from './wire-ledger';

/** Number of clients: in `npm test` as many as in clients.ts, in longer runs half as many. */
const CLIENTS = process.env['LEDGER_KILLS'] === undefined ? volume(4, 10) : 10;
const THINKS_AT_MOST_MS = 30;
/** Maximum delay after a failed or lost connection. */
const PAUSES_AT_MOST_MS = 600;
/** A client disconnects after at most this many statements, so that sessions also end regularly. */
const STATEMENTS_AT_MOST = 60;
const CONNECTS_WITHIN_MS = 60_000;

/** PostgreSQL clients that each run one statement after another, even while the gateway is down. */
export class WireClients {
  private readonly working: Promise<unknown>;
  private isOver = false;

  constructor(
    private readonly world: LedgerWorld,
    private readonly ledger: WireLedger,
    random: Random,
  ) {
    this.working = Promise.all(
      Array.from({ length: CLIENTS }, (_, index) => this.work(index, random.of(`wire client ${index}`))),
    );
    // Prevents an unhandled rejection until `stop` throws the error.
    this.working.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.working;
  }

  private async work(index: number, random: Random): Promise<void> {
    for (let visit = 1; !this.isOver; visit++) {
      const isServed = await this.visit(`wire-${index}-${visit}`, random).catch(() => false);
      if (!isServed) await delay(random.between(0, PAUSES_AT_MOST_MS));
    }
  }

  /** Runs statements on one connection. Resolves with false if connecting or a statement failed. */
  private async visit(name: string, random: Random): Promise<boolean> {
    const client = new Client({
      host: '127.0.0.1',
      port: this.world.postgresPort,
      user: 'me',
      password: await this.world.token(),
      database: 'orders',
      application_name: name,
      connectionTimeoutMillis: CONNECTS_WITHIN_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      for (let left = random.between(1, STATEMENTS_AT_MOST); left > 0 && !this.isOver; left--) {
        const statement = planStatement(name, this.ledger.sentBy(name), random);
        this.ledger.send(name, statement);
        await client.query(queryOf(statement));
        this.ledger.acknowledge(name);
        await delay(random.between(0, THINKS_AT_MOST_MS));
      }
      await client.end();
      return true;
    } catch {
      client.end().catch(() => undefined);
      return false;
    }
  }
}

function queryOf({ text, value }: WireStatement): { text: string; values?: string[] } {
  return value === undefined ? { text } : { text, values: [value] };
}
