import { PacketCutter, PacketReader, PacketWriter } from '../../portal/src/files/packets';
import { lineage, shown, textBytes, within } from '../../portal/src/files/paths';
import * as fc from '../support/fast-check';

const stream = (packets: readonly PacketWriter[]): Buffer =>
  Buffer.concat(packets.map((each) => each.whole()));

describe('packets of SFTP in the portal', () => {
  it('are the same, wherever the stream is cut', () => {
    const some = fc.array(fc.tuple(fc.nat(255), fc.uint8Array({ maxLength: 300 })), { maxLength: 8 });
    fc.assert(
      fc.property(some, fc.array(fc.nat(1000), { maxLength: 10 }), (packets, cuts) => {
        const all = stream(
          packets.map(([type, bytes]) => new PacketWriter(type, 7).bytes(Uint8Array.from(bytes))),
        );
        const cutter = new PacketCutter();
        const ends = [...cuts, all.length].sort((a, b) => a - b);
        const found = ends.flatMap((end, at) => cutter.push(all.subarray(ends[at - 1] ?? 0, end)));
        const read = found.map((packet) => {
          const fields = new PacketReader(packet);
          return [fields.byte(), fields.uint32(), Buffer.from(fields.bytes()).toString('hex')];
        });
        expect(read).toEqual(packets.map(([type, bytes]) => [type, 7, Buffer.from(bytes).toString('hex')]));
      }),
    );
  });

  it.each([0, 256 * 1024 + 1, 0xffffffff])('have no length of %i', (length) => {
    const field = Buffer.alloc(4);
    field.writeUInt32BE(length);
    expect(() => new PacketCutter().push(field)).toThrow(`a packet of ${length} bytes`);
  });

  it.each([
    ['a field that is longer', Uint8Array.of(104, 0, 0, 0, 5, 1)],
    ['no field', Uint8Array.of(104)],
  ])('are refused with %s', (_, packet) => {
    const fields = new PacketReader(packet);
    fields.byte();
    expect(() => fields.bytes()).toThrow(RangeError);
  });
});

describe('paths of a server', () => {
  it('are made of a folder and a name, with any bytes', () => {
    const name = Uint8Array.of(0xff, 0x2e);
    expect([...within(textBytes('/'), name)]).toEqual([0x2f, 0xff, 0x2e]);
    expect(shown(within(textBytes('/srv'), textBytes('größe')))).toBe('/srv/größe');
  });

  it('have the folders above them', () => {
    const parts = (path: string) => lineage(textBytes(path)).map((part) => [part.name, shown(part.path)]);
    expect(parts('/')).toEqual([['/', '/']]);
    expect(parts('/srv//data/')).toEqual([
      ['/', '/'],
      ['srv', '/srv'],
      ['data', '/srv//data'],
    ]);
  });
});
