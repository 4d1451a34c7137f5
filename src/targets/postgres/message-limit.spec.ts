import * as fc from '../../../test/support/fast-check';
import { MessageLimit } from './message-limit';

const message = (size: number): Buffer => {
  const bytes = Buffer.alloc(size + 5, 'x');
  bytes.write('D');
  bytes.writeUInt32BE(size + 4, 1);
  return bytes;
};

describe('the limit of a server message', () => {
  it('is told for exactly the streams that have a larger one, wherever they are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 10 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (sizes, cuts) => {
          let told = 0;
          const limit = new MessageLimit(34, () => (told += 1));
          const stream = Buffer.concat(sizes.map(message));
          let at = 0;
          for (let cut = 0; at < stream.length; cut++) {
            const end = at + (cuts[cut % cuts.length] ?? 1);
            limit.watch(stream.subarray(at, end));
            if (told > 0) break;
            at = end;
          }
          expect(told).toBe(sizes.some((size) => size + 4 > 34) ? 1 : 0);
        },
      ),
    );
  });
});
