import type { DataSource } from 'typeorm';
import { surveyKeys } from '../key-rotation/key-check';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';

const report = new Reporter('secret key');

/** Checks that `SECRET_KEY` opens the sealed secrets in the database. Only reads. */
export async function checkKeys(db: DataSource, { settings }: Examined): Promise<Diagnosis[]> {
  const { sealing, given, opensSome } = await surveyKeys(db, settings.sealing);
  const [current] = given;
  if (!opensSome)
    return [
      report.fault(
        `SECRET_KEY (key ${given.join(', ')}) opens nothing in this database, which was sealed by key ${sealing.join(', ')}.`,
        'Set the key that sealed it, from your backup of keys; without it, secrets have to be entered again.',
      ),
    ];
  const lost = sealing.filter((id) => !given.includes(id));
  if (lost.length > 0)
    return [
      report.warning(
        `Some secrets were sealed by key ${lost.join(', ')}, which SECRET_KEY does not have.`,
        'Add that key behind the first one and run npm run rotate-keys, or enter these secrets again.',
      ),
    ];
  if (sealing.some((id) => id !== current))
    return [
      report.warning(
        `Some secrets are still sealed by an older key (${sealing.filter((id) => id !== current).join(', ')}).`,
        'Run npm run rotate-keys when all gateways have the new key first.',
      ),
    ];
  return [report.ok(`Key ${current} opens what is sealed.`)];
}
