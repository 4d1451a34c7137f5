import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeRecords } from '../../src/sessions/journal/journal-records';
import { SEGMENT_SUFFIX } from '../../src/sessions/journal/journal-segments';

/** Returns a session's output from the journals in the folder, as a replay would now produce it. */
export async function journaledOutput(folder: string, sessionId: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const pieces: Buffer[] = [];
  for (const file of files.filter((name) => name.endsWith(SEGMENT_SUFFIX)).toSorted()) {
    for (const record of decodeRecords(await readFile(join(folder, file)))) {
      if (record.kind === 'event' && record.sessionId === sessionId && record.type === 'o')
        pieces.push(record.content);
    }
  }
  return Buffer.concat(pieces).toString();
}
