import { SegmentWriter } from '../../../src/sessions/archive/segment-format';
import { IS_LONG, volume } from '../volume';

/**
 * In short, a segment is closed when it has 320 KiB, not eight megabytes: it
 * still has more than one place in its index.
 */
const SHORT_SEGMENT_BYTES = 320 * 1024;
/** A script of 19 MB that deflate to half, or in short 1 MB: more than one segment, and less than two. */
export const LONG = `SELECT string_agg(md5((m * 1000 + n)::text), '')
  FROM generate_series(1, ${volume(32, 600)}) AS m, generate_series(1, 1000) AS n GROUP BY m ORDER BY m`;

/** For hooks before the tests. Jest's spies have to be restored after them. */
export function closeSegmentsEarly(): void {
  if (IS_LONG) return;
  jest.spyOn(SegmentWriter.prototype, 'isFull', 'get').mockImplementation(function (this: SegmentWriter) {
    return this['size'] >= SHORT_SEGMENT_BYTES;
  });
}
