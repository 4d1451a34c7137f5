import type { RecordingSeal } from '../recording/chain';
import { type ChunkFacts, type Verification, verifyRecording } from '../recording/verification';
import { type Head, factsOf } from './evidence-format';
import { EvidenceFault, EvidenceReader } from './evidence-reader';
import type { FileSeal } from './file-seal';

export interface Seals {
  readonly recording: RecordingSeal;
  readonly file: FileSeal;
}

export interface FileReport {
  /** Absent where the file could not be read so far. */
  readonly head: Head | undefined;
  readonly verification: Verification | undefined;
  /** Whether the file's own seal was looked at. */
  readonly isSealChecked: boolean;
  /** Sentences; none: the file and the recording in it are as they were. */
  readonly faults: readonly string[];
}

/** Verifies a file of evidence as it comes. `seals`: absent where there is no key. */
export async function verifyFile(file: AsyncIterable<Buffer>, seals: Seals | undefined): Promise<FileReport> {
  const reader = new EvidenceReader(file);
  let head: Head | undefined;
  let verification: Verification | undefined;
  const faults: string[] = [];
  try {
    head = await reader.head();
    const fits =
      seals && ((seal: Buffer, end: Parameters<RecordingSeal['fits']>[1]) => seals.recording.fits(seal, end));
    verification = await verifyRecording(factsOf(head), counted(reader, seals, faults), fits);
  } catch (error) {
    if (!(error instanceof EvidenceFault)) throw error;
    faults.unshift(sentence(error.message));
  }
  for (const { seq, reason } of verification?.faults ?? [])
    faults.push(sentence(seq === null ? reason : `chunk ${seq}: ${reason}`));
  return { head, verification, isSealChecked: seals !== undefined, faults };
}

/** The chunks; after the last one, what there is to say of the file as such. */
async function* counted(
  reader: EvidenceReader,
  seals: Seals | undefined,
  faults: string[],
): AsyncGenerator<ChunkFacts> {
  let count = 0;
  const chunks = reader.chunks();
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) {
      const { seal, sealed, chunks: named, isIntact } = next.value;
      if (!isIntact) faults.push('The file is not as it was downloaded: its digest is another.');
      if (named !== count) faults.push(`The file has ${count} chunks, and must have ${named}.`);
      if (seals !== undefined && !seals.file.fits(seal, sealed))
        faults.push(
          'The seal of the file does not fit: it was changed, or made by a gateway with another key.',
        );
      return;
    }
    count += 1;
    yield next.value;
  }
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
