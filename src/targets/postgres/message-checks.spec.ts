import * as fc from '../../../test/support/fast-check';
import { CheckedMessages } from './message-checks';
import { TargetFault } from './postgres-faults';

const message = (size: number): Buffer => {
  const bytes = Buffer.alloc(size + 5, 'x');
  bytes.write('D');
  bytes.writeUInt32BE(size + 4, 1);
  return bytes;
};

describe('the limit of a server message', () => {
  it('is exceeded by exactly the streams that have a larger message, wherever they are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 10 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (sizes, cuts) => {
          const checked = new CheckedMessages(34);
          const stream = Buffer.concat(sizes.map(message));
          const push = (): void => {
            let at = 0;
            for (let cut = 0; at < stream.length; cut++) {
              const end = at + (cuts[cut % cuts.length] ?? 1);
              checked.push(stream.subarray(at, end));
              at = end;
            }
          };
          if (sizes.every((size) => size + 4 <= 34)) push();
          else expect(push).toThrow(new TargetFault('TOO_LARGE'));
        },
      ),
    );
  });
});

const typed = (type: string, body: string | Buffer): Buffer => {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5, type);
  head.writeUInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
};
const FIELDS = 'SERROR\0C22012\0Mdivision by zero\0\0';
const GOOD = Buffer.concat([
  typed('T', 'anything'),
  typed('E', FIELDS),
  typed('Z', 'E'),
  typed('N', '\0'),
  typed('D', ''),
  typed('N', FIELDS),
]);

/** Pushes the bytes in two parts. */
function pushed(bytes: Buffer, cut: number): void {
  const checked = new CheckedMessages();
  checked.push(bytes.subarray(0, cut));
  checked.push(bytes.subarray(cut));
}

describe('the errors and notices of a target', () => {
  it('pass with their fields, cut at any byte', () => {
    for (let cut = 0; cut <= GOOD.length; cut += 1) pushed(GOOD, cut);
  });

  it.each(['E', 'N'])(
    'are refused before the driver reads %s without its last zero byte, cut at any byte',
    (type) => {
      const ends = Array.from({ length: FIELDS.length }, (_, end) => FIELDS.slice(0, end));
      for (const body of ends.filter((body) => !body.endsWith('\0\0') && body !== '\0')) {
        const bytes = Buffer.concat([GOOD, typed(type, body)]);
        for (const cut of [0, GOOD.length, GOOD.length + 1, GOOD.length + 5, bytes.length - 1])
          expect(() => pushed(bytes, cut)).toThrow(TargetFault);
      }
    },
  );

  it('are refused when their length has no end', () => {
    const endless = Buffer.concat([Buffer.from('N'), Buffer.from([0x7f, 0xff, 0xff, 0xff])]);
    expect(() => pushed(endless, 5)).toThrow(TargetFault);
  });
});
