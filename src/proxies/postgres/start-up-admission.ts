import type { Session } from '../../gate/session';
import type { Setting } from './handshake/start-up-options';
import { type Refused, refusedBy } from './pipeline/refusals';
import { labelStatement, startUpStatements } from './start-up-statements';

/**
 * Judges and records the settings of the start-up message in the form of SET statements, as the session's
 * first input, before anything is sent to the target.
 *
 * @returns the reason if the session must not begin
 * @throws RecordingFailed
 */
export async function admitStartUp(
  session: Session,
  settings: readonly Setting[],
): Promise<Refused | undefined> {
  const label = labelStatement(settings);
  const { judged, recorded } = startUpStatements(settings);
  const admissions = [
    label && (await session.admitAhead({ kind: 'repeated', texts: [label] })),
    recorded === '' ? undefined : await session.admitAhead({ kind: 'statement', text: recorded, judged }),
  ];
  await session.inputsDurable();
  for (const admission of admissions) if (admission?.kind === 'refused') return refusedBy(admission);
  return undefined;
}
