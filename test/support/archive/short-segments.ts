import { SegmentWriter } from '../../../src/sessions/archive/segment-format';
import { IS_LONG, volume } from '../volume';

/**
 * Size at which `npm test` closes a segment of the archive, instead of eight megabytes. The index of such a
 * segment still has more than one entry.
 */
const SHORT_SEGMENT_BYTES = 320 * 1024;
/** Script with 19 MB of output (1 MB in `npm test`). Deflated to half, it fills one to two segments. */
export const LONG = `SELECT string_agg(md5((m * 1000 + n)::text), '')
  FROM generate_series(1, ${volume(32, 600)}) AS m, generate_series(1, 1000) AS n GROUP BY m ORDER BY m`;

/**
 * Makes the archive close segments at `SHORT_SEGMENT_BYTES`. Must be called in a hook before the tests.
 * Jest's spies must be restored after the tests.
 */
export function closeSegmentsEarly(): void {
  if (IS_LONG) return;
  jest.spyOn(SegmentWriter.prototype, 'isFull', 'get').mockImplementation(function (this: SegmentWriter) {
    return this['size'] >= SHORT_SEGMENT_BYTES;
  });
}
