import { randomBytes } from 'node:crypto';
import { KeyRing } from '../../../platform/keys/key-ring';
import { signingKeyOf } from '../../../platform/keys/signature';
import type { SessionRow } from '../../recording/session.entity';
import { evidenceFile } from './evidence-file';
import { verifyFile } from './verify-file';
import {
  KEY,
  sealsOf,
  seals,
  signerOf,
  publicKeysOf,
  recorded,
  fileOf,
  read,
  faultsOf,
  forgedSeal,
  asVersion1,
  evidenceOf,
} from '../../../../test/support/evidence';
import { volume } from '../../../../test/support/volume';

describe('a file of evidence', () => {
  let file: Buffer;
  let lines: string[];

  beforeAll(async () => {
    file = await fileOf(await recorded());
    lines = file.toString().match(/.*\n/g) as string[];
  });

  it('is whole as it was made, in whatever parts it is read', async () => {
    expect(lines).toHaveLength(6);
    for (const size of [1, 7, 64 * 1024]) {
      const report = await verifyFile(read(file, size), { seals });
      expect(report).toMatchObject({
        faults: [],
        verification: { chunks: 3, events: 3, size: 11, seal: 'fits' },
      });
    }
    expect(await verifyFile(read(file), {})).toMatchObject({
      faults: [],
      verification: { seal: 'unchecked' },
    });
  });

  it.each([0, 1, 2, 5])(
    'ends the reading of the chunks when the receiver stops after %i lines',
    async (lines) => {
      const { session, chunks } = await recorded();
      let isOpen = false;
      const source = (async function* () {
        isOpen = true;
        try {
          yield* chunks;
        } finally {
          isOpen = false;
        }
      })();
      const made = evidenceFile(session, evidenceOf(session, []), source, signerOf(KEY));
      for (let at = 0; at < lines; at += 1) await made.next();
      await made.return(undefined);
      expect(isOpen).toBe(false);
    },
  );

  it('shows each bit that flipped, without any key', async () => {
    let unseen = 0;
    // `npm test` flips one bit of each byte: bit 0 of the first byte, bit 1 of the second, and so on.
    for (let at = 0; at < file.length; at++) {
      for (let bit = volume(at % 8, 0); bit < 8; bit += volume(8, 1)) {
        const flipped = Buffer.from(file);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
        if ((await faultsOf(flipped)).length === 0) unseen += 1;
      }
    }
    expect(unseen).toBe(0);
  });

  it('shows where it was cut off, at any byte, and what was put behind', async () => {
    let unseen = 0;
    for (let end = 0; end < file.length; end++) {
      if ((await faultsOf(file.subarray(0, end))).length === 0) unseen += 1;
    }
    expect(unseen).toBe(0);
    expect(await faultsOf(Buffer.concat([file, Buffer.from('\n')]))).toEqual([
      'The file goes on after its end mark.',
    ]);
  });

  it('shows each line that is missing, doubled or elsewhere', async () => {
    for (const [index, line] of lines.entries()) {
      for (const changed of [lines.toSpliced(index, 1), lines.toSpliced(index, 0, line)])
        expect(await faultsOf(Buffer.from(changed.join('')))).not.toEqual([]);
      for (const other of lines.keys()) {
        if (other === index) continue;
        const swapped = lines.map((it, at) => lines[at === index ? other : at === other ? index : at] ?? it);
        expect(await faultsOf(Buffer.from(swapped.join('')))).not.toEqual([]);
      }
    }
  });

  it('shows with the key what somebody computed anew without it', async () => {
    // The forger signs with another key under the id of the right key.
    const forger = { ...signerOf(KEY), key: signingKeyOf(randomBytes(32)), seal: forgedSeal() };
    const { session, chunks } = await recorded();
    const other = await recorded(['one', 'forged', 'three']);
    for (const forged of [
      { session: { ...session, userEmail: 'bob@example.com' }, chunks },
      { session: { ...session, seal: null } as SessionRow, chunks },
      { session: { ...other.session, seal: session.seal }, chunks: other.chunks },
      { session: { ...other.session, seal: null } as SessionRow, chunks: other.chunks },
      { session: { ...session, status: 'open' } as SessionRow, chunks },
    ]) {
      expect(await faultsOf(await fileOf(forged, forger), seals)).toContainEqual(
        expect.stringMatching(/seal of the file/),
      );
      const { faults } = await verifyFile(read(await fileOf(forged, forger)), { keys: publicKeysOf(KEY) });
      expect(faults).toContain('The signature of the file is invalid: the file was changed.');
    }
  });

  it('is proven by a public key alone, and says when it is another', async () => {
    expect(await verifyFile(read(file), { keys: publicKeysOf(KEY) })).toMatchObject({
      faults: [],
      signature: 'fits',
      seal: 'unchecked',
      unknownKeys: [],
    });
    const kid = new KeyRing([KEY]).current.id;
    for (const means of [{ keys: publicKeysOf(randomBytes(32)) }, { seals: sealsOf(randomBytes(32)) }])
      expect(await verifyFile(read(file), means)).toMatchObject({ faults: [], unknownKeys: [kid] });
  });

  it('says what the gateway found wrong when it made it', async () => {
    const told = await fileOf(await recorded(), signerOf(KEY), ['user_email is not what was sealed']);
    expect(await faultsOf(told, seals)).toEqual(['The gateway found: user_email is not what was sealed.']);
  });

  it('of version 1 can be read as before', async () => {
    const { session, chunks } = await recorded();
    const old = asVersion1(session, chunks);
    expect(await verifyFile(read(old), { seals, keys: publicKeysOf(KEY) })).toMatchObject({
      faults: [],
      seal: 'fits',
      signature: 'absent',
      verification: { seal: 'fits' },
    });
    expect(await faultsOf(Buffer.from(old.toString().replace('alice@', 'carol@')), seals)).not.toEqual([]);
  });
});
