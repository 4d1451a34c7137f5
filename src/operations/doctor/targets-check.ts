import type { DataSource } from 'typeorm';
import type { Settings } from '../../platform/config/settings';
import { Connection } from '../../connections/registry/connection.entity';
import { secretContext } from '../../connections/registry/connection-secret';
import { Semaphore } from '../../kernel/async/semaphore';
import { SecretBox } from '../../platform/keys/secret-box';
import { SshUserCa } from '../../platform/keys/ssh-user-ca';
import { targetKind } from '../../targets/kinds';
import { isLoopback } from './addresses-check';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';

const report = new Reporter('targets');
const AT_ONCE = 8;
/** Values of SSLMODE that check the certificate of the target. */
const VERIFYING = ['verify-ca', 'verify-full'];

/** The entities that this check reads. */
export const targetEntities = [Connection];

/**
 * Opens each connection's target with its secret, as `POST /connections/{x}/test` does, and stores nothing.
 */
export async function checkTargets(db: DataSource, { settings }: Examined): Promise<Diagnosis[]> {
  const connections = await db.getRepository(Connection).find({
    select: { id: true, orgId: true, name: true, subtype: true, secret: true },
    order: { name: 'ASC' },
  });
  const box = new SecretBox(settings.sealing);
  const ca = new SshUserCa(db, box);
  const places = new Semaphore(AT_ONCE);
  const looks = await Promise.all(
    connections.map((connection) =>
      places.run(async () => ({ connection, ...(await lookAt(connection, { box, ca }, settings)) })),
    ),
  );
  const found = looks.flatMap(({ connection, fault }) =>
    fault === undefined
      ? []
      : [
          report.warning(
            `Connection ${connection.name}: ${fault}`,
            `Correct its secret, or open the way to it.`,
          ),
        ],
  );
  const unverified = looks.filter(({ isUnverified }) => isUnverified === true);
  if (unverified.length > 0)
    found.push(
      report.warning(
        `Anything on the way to the targets of these connections could stand in for them: ${unverified.map(({ connection }) => connection.name).join(', ')}.`,
        'Set SSLMODE=verify-full in their secrets (and SSLROOTCERT, if your own authority signed).',
      ),
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

interface Look {
  readonly fault: string | undefined;
  readonly isUnverified?: boolean;
}

async function lookAt(
  connection: Connection,
  { box, ca }: { readonly box: SecretBox; readonly ca: SshUserCa },
  settings: Settings,
): Promise<Look> {
  const kind = targetKind(connection.subtype);
  if (kind === undefined)
    return { fault: `this version does not know targets of the kind ${connection.subtype}.` };
  let secret: Readonly<Record<string, string>>;
  try {
    secret = box.open(connection.secret, secretContext(connection));
  } catch {
    return { fault: 'no key in SECRET_KEY opens its secret.' };
  }
  const hasMode = kind.secret.fields['SSLMODE'] !== undefined;
  const isUnverified =
    hasMode && !VERIFYING.includes(secret['SSLMODE'] ?? '') && !isLoopback(secret['HOST'] ?? '');
  let certified: Readonly<Record<string, string>> | undefined;
  try {
    const use = { keyId: `doctor test connection ${connection.name}`, hasTerminal: false };
    certified = await kind.withCertificate?.(secret, use, () => signingKey(ca));
  } catch {
    return {
      fault: 'there is no user CA yet (GET /ssh/user-ca.pub makes it), or no key in SECRET_KEY opens it.',
    };
  }
  return { fault: await kind.probe(certified ?? secret, settings), isUnverified };
}

async function signingKey(ca: SshUserCa): Promise<string> {
  const key = await ca.privateKeyIfAny();
  if (key === undefined) throw new Error('there is no user CA');
  return key;
}
