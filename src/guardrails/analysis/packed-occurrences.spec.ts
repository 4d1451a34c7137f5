import * as fc from '../../../test/support/fast-check';
import { DETECTOR_NAMES } from '../matching/detectors';
import { pack, unpack } from './packed-occurrences';

const place = fc.nat(2 ** 31 - 1);
const occurrence = fc.record(
  {
    test: fc.nat(1_000),
    start: place,
    end: place,
    detector: fc.constantFrom(...DETECTOR_NAMES),
    reason: fc.string(),
  },
  { requiredKeys: ['test', 'start', 'end'] },
);

describe('packed occurrences', () => {
  it('are the same once they are unpacked, in another thread too', () => {
    fc.assert(
      fc.property(fc.array(occurrence, { maxLength: 20 }), (list) => {
        expect(unpack(structuredClone(pack(list)))).toEqual(list);
      }),
    );
  });
});
