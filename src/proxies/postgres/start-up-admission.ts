import type { Session } from '../../gate/session';
import type { Setting } from './handshake/start-up-options';
import { type Refused, refusedBy } from './refusals';
import { labelStatement, startUpStatements } from './start-up-statements';

/**
 * What a client sets at the start is the session's first input: judged as the SET statements that it stands for, and
 * recorded, before the target hears of it.
 *
 * @returns why the session must not begin
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
