import type { DataSource } from 'typeorm';
import type { Settings } from '../config/settings';
import { Connection } from '../connections/connection.entity';
import { secretContext } from '../connections/connection-secret';
import { Semaphore } from '../kernel/semaphore';
import { SecretBox } from '../keys/secret-box';
import { targetKind } from '../targets/kinds';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';

const report = new Reporter('targets');
const AT_ONCE = 8;

/** The entities that this check reads. */
export const targetEntities = [Connection];

/** Opens each connection's target with its secret, as `POST /connections/{x}/test` does, and stores nothing. */
export async function checkTargets(db: DataSource, { settings }: Examined): Promise<Diagnosis[]> {
  const connections = await db.getRepository(Connection).find({
    select: { id: true, orgId: true, name: true, subtype: true, secret: true },
    order: { name: 'ASC' },
  });
  const box = new SecretBox(settings.sealing);
  const places = new Semaphore(AT_ONCE);
  const faults = await Promise.all(
    connections.map((connection) =>
      places.run(async () => ({ connection, fault: await faultOf(connection, box, settings) })),
    ),
  );
  const found = faults.flatMap(({ connection, fault }) =>
    fault === undefined
      ? []
      : [
          report.warning(
            `Connection ${connection.name}: ${fault}`,
            `Correct its secret, or open the way to it.`,
          ),
        ],
  );
  if (found.length > 0) return found;
  return [
    report.ok(
      connections.length === 0
        ? 'There are no connections yet.'
        : `All ${connections.length} targets answer.`,
    ),
  ];
}

async function faultOf(
  connection: Connection,
  box: SecretBox,
  settings: Settings,
): Promise<string | undefined> {
  const kind = targetKind(connection.subtype);
  if (kind === undefined) return `this version does not know targets of the kind ${connection.subtype}.`;
  let secret: Readonly<Record<string, string>>;
  try {
    secret = box.open(connection.secret, secretContext(connection));
  } catch {
    return 'no key in SECRET_KEY opens its secret.';
  }
  return kind.probe(secret, settings);
}
