import type { RecordingSeal } from '../format/chain';
import type { Chunk } from '../format/chunks';
import type { Shipment } from './shipment';

/**
 * Maximum size of a part of a split shipment, in bytes of chunks plus characters of texts. Parts are small,
 * because the driver copies a statement several times in one turn of the event loop.
 */
const PART_SIZE = 1024 * 1024;
/** Size above which a shipment is split. It is larger than a part, so that few shipments need to be split. */
const LARGE = 4 * PART_SIZE;
/**
 * Maximum total size of the shipments in one statement. A batch can only reach it if its inputs need extra
 * rows in the index of words (`phraseWindows`), which have up to twice the text of the inputs.
 */
const STATEMENT_SIZE = 16 * PART_SIZE;

interface Portion {
  readonly chunks: Chunk[];
  readonly texts: string[];
  size: number;
}

/** Whether a shipment is too large for one statement, because it has a large event. */
export function isLargeShipment({ chunks, texts }: Shipment): boolean {
  return chunks.length > 1 && sizeOf(chunks, texts) > LARGE;
}

/**
 * Splits a shipment into parts. They are stored one after the other in one transaction, so that no reader
 * sees an event without its end. The last part has the values for the row.
 */
export function partsOf(shipment: Shipment, seal: RecordingSeal): Shipment[] {
  const { session, version } = shipment;
  const parts: Shipment[] = [];
  let { before } = shipment;
  const portions = portionsOf(shipment);
  for (const { chunks, texts } of portions.slice(0, -1)) {
    const after = {
      ...before,
      chunkCount: before.chunkCount + chunks.length,
      chainHash: chunks.at(-1)?.hash ?? before.chainHash,
      eventsStored: chunks.reduce((sum, { eventCount }) => sum + eventCount, before.eventsStored),
      eventSize: chunks.reduce((sum, { rawSize }) => sum + rawSize, before.eventSize),
    };
    const nothing = { progress: undefined, ending: undefined };
    parts.push({ session, before, after, chunks, texts, version, ...nothing, seal: seal.of(after) });
    before = after;
  }
  const { chunks, texts } = portions.at(-1) as Portion;
  parts.push({ ...shipment, before, chunks, texts });
  return parts;
}

/** Groups shipments that are not large into statements of limited size. */
export function statementsOf(shipments: readonly Shipment[]): Shipment[][] {
  const statements: Shipment[][] = [];
  let room = 0;
  for (const shipment of shipments) {
    const size = sizeOf(shipment.chunks, shipment.texts);
    if (size > room || statements.length === 0) {
      statements.push([]);
      room = STATEMENT_SIZE;
    }
    statements.at(-1)?.push(shipment);
    room -= size;
  }
  return statements;
}

/**
 * Splits the chunks and indexed texts of a large shipment into portions, one for each part. Each portion has
 * at least one chunk, because texts are stored under the number of the first chunk of their portion. The
 * texts are spread evenly over the chunks by their length, because their lengths differ much. A chunk with
 * its texts may be a little larger than a part.
 */
function portionsOf({ chunks, texts }: Shipment): Portion[] {
  const share = sizeOf([], texts) / chunks.length;
  const portions: Portion[] = [];
  let next = 0;
  let given = 0;
  for (const [index, chunk] of chunks.entries()) {
    const from = next;
    const until = index === chunks.length - 1 ? Infinity : (index + 1) * share;
    for (; next < texts.length && given < until; next += 1) given += texts[next]?.length ?? 0;
    const own = texts.slice(from, next);
    const size = sizeOf([chunk], own);
    const last = portions.at(-1);
    if (last === undefined || last.size + size > PART_SIZE) {
      portions.push({ chunks: [chunk], texts: own, size });
      continue;
    }
    last.chunks.push(chunk);
    last.texts.push(...own);
    last.size += size;
  }
  return portions;
}

function sizeOf(chunks: readonly Chunk[], texts: readonly string[]): number {
  const bytes = chunks.reduce((sum, { payload }) => sum + payload.length, 0);
  return texts.reduce((sum, { length }) => sum + length, bytes);
}
