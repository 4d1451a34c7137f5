import type { SealState } from '../recording/verification';
import type { Head } from './evidence-format';
import type { FileReport } from './verify-file';

const sealSentences: Record<Exclude<SealState, 'broken'>, string> = {
  fits: 'The seal fits: the events are those that the gateway recorded.',
  absent: 'There is no seal on the recording.',
  unchecked:
    'The seal was not checked, as no key was given. Whoever can compute hashes could have made another recording of it.',
};

/** What was found in a file, in plain words, a line each. */
export function sentencesOf(report: FileReport, chainHash: string | undefined): string[] {
  const { head, verification, faults, isSealChecked } = report;
  const said = head === undefined ? [] : aboutSession(head);
  if (verification !== undefined) {
    const { chunks, events, size } = verification;
    said.push(
      `${events} events of ${size} bytes in ${chunks} chunks; chain hash ${verification.chainHash.toString('hex')}`,
    );
  }
  if (faults.length > 0) return [...said, ...faults, 'BROKEN: this is not what was recorded.'];
  if (chainHash !== undefined) said.push('The chain hash is the one that was noted.');
  if (head?.session.status !== 'done')
    said.push('The session was not over when the file was made: more may have been recorded since.');
  if (verification !== undefined && verification.seal !== 'broken')
    said.push(sealSentences[verification.seal]);
  if (isSealChecked)
    said.push('The seal of the file fits: who, where and when are what the gateway said then.');
  return [...said, 'WHOLE: every chunk is there, in order, and as it was recorded.'];
}

function aboutSession({ session }: Head): string[] {
  const { id, connection, user, start_date, end_date } = session;
  const until = end_date === null ? '' : ` to ${end_date}`;
  return [`Session ${id} on ${connection}, by ${user}, ${start_date}${until}`].map(printable);
}

/** Names may hold what a terminal would obey. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '\uFFFD');
}
