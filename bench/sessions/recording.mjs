// The built recorder without the rest of the gateway, on a gateway's database.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuid7 } from 'uuid';

const require = createRequire(import.meta.url);
const built = (file) => require(join(import.meta.dirname, '../../dist/src', file));

export async function recording(url, mode) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-journal-'));
  const sealing = { keys: [randomBytes(32)] };
  const { RecordedTrail } = built('sessions/recording/recorded-trail.js');
  const seal = new (built('sessions/format/chain.js').RecordingSeal)(sealing);
  const store = new (built('sessions/recording/recording-store.js').RecordingStore)(undefined, seal, { url });
  const shipper = new (built('sessions/recording/shipper.js').Shipper)(store, seal);
  const journal = new (built('sessions/journal/journal.js').Journal)(join(folder, 'bench'), randomUUID());
  const memory = new (built('kernel/async/byte-semaphore.js').ByteSemaphore)(64 * 1024 * 1024);
  const shared = { store, shipper, journal, memory };
  return {
    trail: (session) => new RecordedTrail(session, undefined, { mode, scope: 'on' }, shared, () => undefined),
    async close() {
      await shipper.stop();
      await journal.close();
      await store.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Inserts the row of a session, as it exists when its recording begins. */
export async function begun(client) {
  const { rows } = await client.query(
    `INSERT INTO sessions (id, org_id, status, verb, type, connection_id, connection_name, connection_subtype, identity_type,
       user_subject, user_email, user_name)
     SELECT $1, id, 'open', 'connect', 'database', gen_random_uuid(), 'bench', 'postgres', 'user', 'bench', 'bench@example.com', 'Bench'
     FROM organizations LIMIT 1 RETURNING id, org_id`,
    [uuid7()],
  );
  return { id: rows[0].id, orgId: rows[0].org_id };
}
