import type { RecordingSeal } from '../format/chain';
import type { Chunk } from '../format/chunks';
import type { Shipment } from './shipment';

/**
 * Bytes and characters in one statement: the driver copies them a few times in one turn of the event loop.
 */
const PART_SIZE = 1024 * 1024;
/** Tolerance, so that most shipments are one statement. */
const LARGE = 4 * PART_SIZE;

interface Portion {
  readonly chunks: Chunk[];
  readonly texts: string[];
  size: number;
}

/** A shipment with a large event is more than one statement may hold. */
export function isLargeShipment({ chunks, texts }: Shipment): boolean {
  return chunks.length > 1 && sizeOf(chunks, texts) > LARGE;
}

/**
 * Splits a shipment into shipments that follow one another in one transaction: no reader must see an event
 * without its end. The last one has the values for the row.
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

/**
 * Each with a chunk at least, because texts are stored under the number of the
 * first chunk that comes with them.
 */
function portionsOf({ chunks, texts }: Shipment): Portion[] {
  const share = Math.ceil(texts.length / chunks.length);
  const portions: Portion[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const own = texts.slice(index * share, (index + 1) * share);
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
