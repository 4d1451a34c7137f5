import { Client } from 'pg';
import { NO_CHUNK, RecordingSeal, chunkHash } from '../../src/sessions/format/chain';
import { type EventPiece, encodePieces } from '../../src/sessions/format/event-codec';
import type { TestDatabase } from './database';

/** Opens a connection on which the append-only triggers are disabled, as an owner of the server could do. */
export async function superuser(database: TestDatabase): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  return client;
}

/**
 * Replaces the recording of a session by these event pieces in these chunks, linked and sealed as a gateway
 * does it.
 */
export async function storeRecording(
  db: Client,
  sessionId: string,
  chunks: AsyncIterable<readonly EventPiece[]> | Iterable<readonly EventPiece[]>,
  secretKey: Buffer,
): Promise<void> {
  await db.query('DELETE FROM session_chunks WHERE session_id = $1', [sessionId]);
  const end = { sessionId, chunkCount: 0, chainHash: NO_CHUNK as Buffer, eventsStored: 0, eventSize: 0 };
  for await (const pieces of chunks) {
    const events = pieces.filter(({ ends }) => ends).length;
    const size = pieces.reduce((sum, { content }) => sum + content.length, 0);
    const payload = await encodePieces(pieces);
    const hash = chunkHash(end.chainHash, sessionId, end.chunkCount + 1, payload);
    await db.query(
      `INSERT INTO session_chunks (org_id, session_id, seq, event_count, raw_size, payload, previous, hash)
       SELECT org_id, id, $2, $3, $4, $5, $6, $7 FROM sessions WHERE id = $1`,
      [sessionId, end.chunkCount + 1, events, size, payload, end.chainHash, hash],
    );
    end.chunkCount += 1;
    end.chainHash = hash;
    end.eventsStored += events;
    end.eventSize += size;
  }
  const seal = new RecordingSeal({ keys: [secretKey] }).of(end);
  await db.query(
    `UPDATE sessions SET chunk_count = $2, chain_hash = $3, events_stored = $4, events_received = $4, event_size = $5, seal = $6
     WHERE id = $1`,
    [sessionId, end.chunkCount, end.chainHash, end.eventsStored, end.eventSize, seal],
  );
  // Queues the session for the ledger as the trigger would, because triggers are off on this connection.
  await db.query(
    'INSERT INTO session_ledger_queue (org_id, session_id) SELECT org_id, id FROM sessions WHERE id = $1',
    [sessionId],
  );
}
