import type { ClientSession } from '../../gate/client-session';
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
  session: ClientSession,
  settings: readonly Setting[],
): Promise<Refused | undefined> {
  const label = labelStatement(settings);
  const { judged, recorded } = startUpStatements(settings);
  const rulings = [
    label && (await session.recheck([label])),
    recorded === '' ? undefined : await session.admit({ judged, recorded }),
  ];
  for (const ruling of rulings) await ruling?.recorded;
  const refusal = rulings.find((ruling) => ruling?.refusal !== undefined)?.refusal;
  return refusal && refusedBy(refusal);
}
