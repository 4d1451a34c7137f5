import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Pool, type PoolClient } from 'pg';
import { type EntityManager, type FindOptionsWhere, Not, Repository } from 'typeorm';
import { DatabaseSettings } from '../../platform/config/groups';
import { withRetries } from '../../platform/database/faults/retry';
import { EXIT_BLOCKED } from '../../gate/ports/session-end';
import { SessionRow, type SessionKey } from './session.entity';
import { endPool } from '../../kernel/runtime/end-pool';
import { NO_CHUNK, RecordingSeal } from '../format/chain';
import { chunksOf } from '../format/chunks';
import { Drafts } from '../format/drafts';
import { letterOf } from '../format/event-codec';
import { SHIP, SHIP_MANY, shipParameters } from './ship-statement';
import type { Shipment, StoredState } from './shipment';
import { isLargeShipment, partsOf, statementsOf } from './shipment-parts';

const UNFINISHED = Not('done' as const);
/** Maximum wait for the answer to a shipment. The shipment is then retried, but never stored twice. */
const ANSWER_WITHIN_MS = 30_000;

/**
 * Writes recordings to PostgreSQL. It has connections of its own, so a busy pool does not delay recording.
 */
@Injectable()
export class RecordingStore {
  readonly pool: Pool;

  constructor(
    @InjectRepository(SessionRow) private readonly sessions: Repository<SessionRow>,
    private readonly seal: RecordingSeal,
    settings: DatabaseSettings,
  ) {
    this.pool = new Pool({
      connectionString: settings.url,
      application_name: 'access-gateway recorder',
      // One connection for large events, one for all other events.
      max: 2,
      connectionTimeoutMillis: 5_000,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    // Ignored, because the pool replaces a lost idle connection when it is needed.
    this.pool.on('error', () => undefined);
  }

  async end(): Promise<void> {
    await endPool(this.pool, () => this.pool.end());
  }

  /**
   * Stores shipments of different sessions, each one completely or not at all. Returns the ids of the
   * sessions whose shipments were stored, and whether each session has ended now. A shipment whose session
   * row is no longer in the state `before` is not stored.
   */
  async ship(shipments: readonly Shipment[]): Promise<Map<string, { isOver: boolean }>> {
    const together = shipments.filter((shipment) => !isLargeShipment(shipment));
    const outcomes: Shipped[] = [];
    for (const statement of statementsOf(together))
      outcomes.push(...(await withRetries(() => shipAll(this.pool, statement))));
    for (const shipment of shipments) {
      if (together.includes(shipment)) continue;
      const parts = partsOf(shipment, this.seal);
      outcomes.push(...(await withRetries(() => this.shipInParts(parts))));
    }
    return new Map(outcomes.map(({ id, is_over }) => [id, { isOver: is_over }]));
  }

  /** Stores all parts of a large shipment in one transaction: all of them or none. */
  private async shipInParts(parts: readonly Shipment[]): Promise<Shipped[]> {
    const client = await this.pool.connect();
    let outcome: Shipped[] = [];
    // A lost connection is ignored here, because the next query fails.
    const lost = (): void => undefined;
    client.on('error', lost);
    try {
      await client.query('BEGIN');
      for (const part of parts) {
        outcome = await shipAll(client, [part]);
        if (outcome.length === 0) break;
      }
      await client.query(outcome.length === 0 ? 'ROLLBACK' : 'COMMIT');
    } catch (error) {
      // Closes the connection, so that the server rolls back its transaction.
      client.release(true);
      throw error;
    }
    client.off('error', lost);
    client.release();
    return outcome;
  }

  /** Reads the resume state of a recording; undefined if the session does not exist. */
  async stateOf({ orgId, id }: SessionKey): Promise<StoredState | undefined> {
    const { rows } = await this.pool.query<Record<string, string> & { chain_hash: Buffer }>(
      `SELECT chunk_count, chain_hash, events_stored, event_size, journaled FROM sessions
       WHERE org_id = $1 AND id = $2`,
      [orgId, id],
    );
    return (
      rows[0] && {
        sessionId: id,
        chunkCount: Number(rows[0]['chunk_count']),
        chainHash: rows[0].chain_hash,
        eventsStored: Number(rows[0]['events_stored']),
        eventSize: Number(rows[0]['event_size']),
        journaled: Number(rows[0]['journaled']),
      }
    );
  }

  /**
   * Ends the unfinished session that `which` selects, and that no gateway runs. Adds a last event with the
   * reason. Writes event and end in the caller's transaction. Returns false if there is no such session,
   * because another caller ended it.
   */
  async closeIn(
    db: EntityManager,
    which: FindOptionsWhere<SessionRow>,
    reason: string,
    now: number,
  ): Promise<boolean> {
    const session = await db.findOne(SessionRow, {
      select: STATE_COLUMNS,
      where: { ...which, status: UNFINISHED },
      lock: { mode: 'for_no_key_update' },
    });
    // The row is locked from here on: no gateway can claim the session, and no other caller can end it.
    if (session === null) return false;
    const time = Math.max(now - session.startDate.getTime(), 0);
    const content = Buffer.from(`${reason}\n`);
    const drafts = new Drafts();
    drafts.add({ number: 1, time, letter: letterOf({ type: 'e' }), content, length: content.length }, 0);
    const before = stateOf(session);
    const chunks = await chunksOf(drafts.takeDrafts(Infinity), before);
    const after = {
      ...before,
      chunkCount: before.chunkCount + chunks.length,
      chainHash: chunks.at(-1)?.hash ?? before.chainHash,
      eventsStored: before.eventsStored + 1,
      eventSize: before.eventSize + content.length,
    };
    const shipment: Shipment = {
      session,
      before,
      after,
      chunks,
      texts: [],
      progress: undefined,
      version: 0,
      ending: { exitCode: EXIT_BLOCKED, after: null },
      seal: this.seal.of(after),
    };
    await db.query(SHIP, shipParameters([shipment]));
    return true;
  }

  /** Releases a session that waits for a review, so that no gateway runs it. */
  async release(session: SessionKey): Promise<void> {
    await this.sessions.update({ orgId: session.orgId, id: session.id, status: 'open' }, { gatewayId: null });
  }
}

interface Shipped {
  readonly id: string;
  readonly is_over: boolean;
}

/** Stores shipments in one statement, and so in one transaction. */
async function shipAll(db: Pool | PoolClient, shipments: readonly Shipment[]): Promise<Shipped[]> {
  const statement =
    shipments.length > 1 ? { name: 'ship-many', text: SHIP_MANY } : { name: 'ship', text: SHIP };
  const { rows } = await db.query<Shipped>({ ...statement, values: shipParameters(shipments) });
  return rows;
}

/** The resume state of a new recording. */
export function noRecording(sessionId: string): StoredState {
  return { sessionId, chunkCount: 0, chainHash: NO_CHUNK, eventsStored: 0, eventSize: 0, journaled: 0 };
}

const STATE_COLUMNS = {
  id: true,
  orgId: true,
  startDate: true,
  chunkCount: true,
  chainHash: true,
  eventsStored: true,
  eventSize: true,
  journaled: true,
} as const;

/** Returns the resume state in a session's row. */
export function stateOf({
  id,
  chunkCount,
  chainHash,
  eventsStored,
  eventSize,
  journaled,
}: SessionRow): StoredState {
  return { sessionId: id, chunkCount, chainHash, eventsStored, eventSize, journaled };
}
