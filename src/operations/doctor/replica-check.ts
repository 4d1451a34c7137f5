import type { Client } from 'pg';
import { databaseOutage } from '../../platform/database/faults/outage';
import { messageOf } from '../../kernel/app-error';
import { type Diagnosis, Reporter } from './diagnosis';

const report = new Reporter('replica');
const UNUSED = 'Until then, the database itself answers lists and searches.';

interface ReplicaRow {
  is_standby: boolean;
  cluster: string;
}

const REPLICA = `SELECT pg_is_in_recovery() AS is_standby,
  (SELECT system_identifier::text FROM pg_control_system()) AS cluster`;

/**
 * Checks that `DATABASE_REPLICA_URL` leads to a standby of the database. Nobody would notice a wrong URL
 * otherwise, because the gateway works without a standby too.
 */
export async function checkReplica(replica: Client, database: Client): Promise<Diagnosis[]> {
  try {
    await replica.connect();
    const [standby, primary] = await Promise.all([rowOf(replica), rowOf(database)]);
    if (standby?.cluster !== primary?.cluster)
      return [
        report.warning(
          'DATABASE_REPLICA_URL leads to a server that is no copy of the database.',
          `Let it lead to a hot standby of DATABASE_URL, or unset it. ${UNUSED}`,
        ),
      ];
    if (standby?.is_standby !== true)
      return [
        report.warning(
          'DATABASE_REPLICA_URL leads to a server that is no standby.',
          `Let it lead to a hot standby, or unset it. ${UNUSED}`,
        ),
      ];
    return [report.ok('The replica answers, and follows the database.')];
  } catch (error) {
    return [
      report.warning(
        `The replica of DATABASE_REPLICA_URL ${databaseOutage(error) ?? 'could not be examined'} (${messageOf(error)}).`,
        `Start it, or correct or unset DATABASE_REPLICA_URL. ${UNUSED}`,
      ),
    ];
  } finally {
    await replica.end().catch(() => undefined);
  }
}

async function rowOf(client: Client): Promise<ReplicaRow | undefined> {
  return (await client.query<ReplicaRow>(REPLICA)).rows[0];
}
