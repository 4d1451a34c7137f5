import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyRing } from '../../../platform/keys/key-ring';
import type { SessionRow } from '../../recording/session.entity';
import { verifyCommand } from './verify-command';
import { KEY, asVersion1, jwksOf, recorded, fileOf } from '../../../../test/support/evidence';

describe('verify-recording', () => {
  let file: Buffer;

  let folder: string;

  beforeAll(async () => {
    file = await fileOf(await recorded());
    folder = await mkdtemp(join(tmpdir(), 'evidence-'));
    await writeFile(join(folder, 'key'), `${KEY.toString('base64')}\n`);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function run(bytes: Buffer, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
    await writeFile(join(folder, 'file'), bytes);
    let text = '';
    const code = await verifyCommand([join(folder, 'file'), ...args], env, (part) => void (text += part));
    return { code, text };
  }

  it('ends with 0 for what is whole, and says how much it knows', async () => {
    const without = await run(file);
    expect(without.code).toBe(0);
    expect(without.text).toContain(
      'Session 0f8fad5b-d9cb-469f-a165-70867728950e on orders, by alice@example.com',
    );
    expect(without.text).toContain('3 events of 11 bytes in 3 chunks');
    expect(without.text).toContain('The seal was not checked');
    const env = { SECRET_KEY: KEY.toString('base64') };
    for (const withKey of [
      await run(file, [], env),
      await run(file, ['--secret-key-file', join(folder, 'key')]),
    ]) {
      expect(withKey.code).toBe(0);
      expect(withKey.text).toContain('The seal is valid');
      expect(withKey.text).toContain('The seal of the file is valid');
    }
  });

  it('checks signatures with the public keys alone', async () => {
    await writeFile(join(folder, 'keys.json'), JSON.stringify(jwksOf(randomBytes(32), KEY)));
    const known = await run(file, ['--public-keys', join(folder, 'keys.json')]);
    expect(known.code).toBe(0);
    expect(known.text).toContain('The signature of the file is valid');
    await writeFile(join(folder, 'keys.json'), JSON.stringify(jwksOf(randomBytes(32))));
    const unknown = await run(file, ['--public-keys', join(folder, 'keys.json')]);
    expect(unknown.code).toBe(3);
    expect(unknown.text).toMatch(new RegExp(`UNKNOWN KEY: .* ${new KeyRing([KEY]).current.id}\\.\\n$`));
  });

  it('is not satisfied by a file whose signature was removed', async () => {
    await writeFile(join(folder, 'keys.json'), JSON.stringify(jwksOf(KEY)));
    const lines = file.toString().match(/.*\n/g) ?? [];
    const withSeal = (seal: object): Buffer => {
      const body = [...lines.slice(0, -2), `${JSON.stringify(seal)}\n`].join('');
      const sha256 = createHash('sha256').update(body).digest('hex');
      return Buffer.from(`${body}${JSON.stringify({ end: { chunks: lines.length - 3, sha256 } })}\n`);
    };
    const seal = JSON.parse(lines.at(-2) ?? '') as Record<string, string>;
    for (const { key_id: id, signature, ...rest } of [seal]) {
      for (const left of [rest, { ...rest, key_id: id }, { ...rest, signature }]) {
        const { code, text } = await run(withSeal(left), ['--public-keys', join(folder, 'keys.json')]);
        expect(code).not.toBe(0);
        expect(text).not.toContain('WHOLE');
      }
    }
    const { session, chunks } = await recorded();
    const old = await run(asVersion1(session, chunks), ['--public-keys', join(folder, 'keys.json')]);
    expect(old.code).toBe(3);
    expect(old.text).toMatch(/UNPROVEN: nothing is wrong, but files of version 1 have no signature/);
    const proven = await run(asVersion1(session, chunks), ['--public-keys', join(folder, 'keys.json')], {
      SECRET_KEY: KEY.toString('base64'),
    });
    expect([proven.code, proven.text]).toEqual([0, expect.stringContaining('WHOLE')]);
  });

  it('compares the chain hash with the one that was noted', async () => {
    const { session } = await recorded();
    const noted = session.chainHash.toString('hex');
    expect((await run(file, ['--chain-hash', noted.toUpperCase()])).code).toBe(0);
    expect(await run(file, ['--chain-hash', '0'.repeat(64)])).toMatchObject({
      code: 1,
      text: expect.stringContaining('The chain hash differs from the expected one'),
    });
  });

  it('ends with 1 for what is broken, and says where', async () => {
    const { session, chunks } = await recorded();
    const broken = chunks.map((chunk, at) => (at === 1 ? { ...chunk, rawSize: 9 } : chunk));
    const { code, text } = await run(await fileOf({ session, chunks: broken }));
    expect(code).toBe(1);
    expect(text).toContain('Chunk 2: its events have 3 bytes instead of 9.');
    expect(text).toMatch(/BROKEN: .*\n$/);
  });

  it('says that the recording goes on, where the session was not over', async () => {
    const { session, chunks } = await recorded();
    const running = { ...session, status: 'open', endDate: null, seal: null } as SessionRow;
    const { code, text } = await run(await fileOf({ session: running, chunks }));
    expect(code).toBe(0);
    expect(text).toContain('was not over');
    expect(text).toContain('The recording has no seal');
  });

  it('lets no name reach the terminal as a command', async () => {
    const { session, chunks } = await recorded();
    const named = { ...session, connectionName: '\u001B]0;x\u0007', userEmail: '\u202Emoc' };
    // oxlint-disable-next-line no-control-regex
    expect((await run(await fileOf({ session: named, chunks }))).text).not.toMatch(/[\u001B\u0007\u202E]/);
  });

  it.each([
    [['--no-such-option'], {}],
    [['another-file'], {}],
    [['--chain-hash', 'xyz'], {}],
    [['--secret-key-file', '/no/such/file'], {}],
    [['--public-keys', '/no/such/file'], {}],
    [['--public-keys', __filename], {}],
    [[], { SECRET_KEY: 'short' }],
  ])('ends with 2 where it cannot look: %j %j', async (args, env) => {
    const { code, text } = await run(file, args, env);
    expect([code, text.length > 0]).toEqual([2, true]);
  });

  it('ends with 2 without a file', async () => {
    const ignore = () => undefined;
    expect(await verifyCommand([], {}, ignore)).toBe(2);
    expect(await verifyCommand([join(folder, 'nothing')], {}, ignore)).toBe(2);
    expect(await verifyCommand([folder], {}, ignore)).toBe(2);
  });
});
