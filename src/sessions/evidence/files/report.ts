import type { SealState } from '../../format/verification';
import type { Head } from './evidence-format';
import type { FileCheck, FileReport } from './verify-file';

const sealSentences: Record<Exclude<SealState, 'broken'>, string> = {
  fits: 'The seal is valid: the events are those that the gateway recorded.',
  absent: 'The recording has no seal.',
  unchecked: 'The seal was not checked, because no secret key was given.',
  unknown_key: 'The seal of the recording was made by another key than those that were given.',
};

const fileSentences: Record<Exclude<FileCheck, 'broken' | 'absent'>, string> = {
  fits: 'The seal of the file is valid: the gateway wrote who, where and when.',
  unchecked: 'The seal of the file was not checked, because no secret key was given.',
  unknown_key: 'The seal of the file was made by another key than those that were given.',
};

const signatureSentences: Record<Exclude<FileCheck, 'broken'>, string> = {
  fits: 'The signature of the file is valid: the gateway made this file.',
  absent: 'The file has no signature.',
  unchecked: 'Signatures were not checked, because no public keys were given.',
  unknown_key: 'The file was signed by another key than those that were given.',
};

const FORGEABLE = 'Nothing was checked with a key: anyone who can compute hashes could have made all of it.';

/** The findings about a file, a line each. */
export function sentencesOf(report: FileReport, chainHash: string | undefined): string[] {
  const { head, verification, faults, unknownKeys, isUnproven } = report;
  const said = head === undefined ? [] : aboutSession(head);
  if (verification !== undefined) {
    const { chunks, events, size } = verification;
    said.push(
      `${events} events of ${size} bytes in ${chunks} chunks; chain hash ${verification.chainHash.toString('hex')}`,
    );
  }
  if (faults.length > 0) return [...said, ...faults.map(printable), 'BROKEN: this is not what was recorded.'];
  if (chainHash !== undefined) said.push('The chain hash is the one that was noted.');
  if (head?.session.status !== 'done')
    said.push('The session was not over when the file was made: more may have been recorded since.');
  said.push(...aboutKeys(report));
  const unknown = `UNKNOWN KEY: nothing is wrong, but it cannot be proven without the key ${unknownKeys.join(', ')}.`;
  if (unknownKeys.length > 0) return [...said, printable(unknown)];
  if (isUnproven)
    return [
      ...said,
      'UNPROVEN: nothing is wrong, but files of version 1 have no signature; only the secret key can prove them.',
    ];
  return [...said, 'WHOLE: every chunk is there, in order, and as it was recorded.'];
}

function aboutKeys({ head, verification, seal, signature }: FileReport): string[] {
  const said: string[] = [];
  if (verification !== undefined && verification.seal !== 'broken')
    said.push(sealSentences[verification.seal]);
  if (seal !== 'broken' && seal !== 'absent') said.push(fileSentences[seal]);
  if (signature !== 'broken') said.push(signatureSentences[signature]);
  if (signature === 'fits' && head?.version === 2 && head.ledger !== null)
    said.push(ledgerSentence(head.ledger.entries.length));
  if (seal === 'unchecked' && (signature === 'unchecked' || signature === 'absent')) said.push(FORGEABLE);
  return said;
}

function ledgerSentence(entries: number): string {
  return `The session agrees with ${entries === 1 ? 'a signed entry' : `${entries} signed entries`} of the ledger.`;
}

function aboutSession({ session }: Head): string[] {
  const { id, connection, user, start_date, end_date } = session;
  const until = end_date === null ? '' : ` to ${end_date}`;
  return [`Session ${id} on ${connection}, by ${user}, ${start_date}${until}`].map(printable);
}

/** Replaces control characters, because names may contain control sequences for terminals. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '\uFFFD');
}
