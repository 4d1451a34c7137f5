import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { signIn } from '../../../test/support/browser-sign-in';
import {
  codeFlow,
  identityProviders,
  passwordToken,
  userinfo,
  verify,
} from '../../../test/support/development-identity';

const providers = identityProviders();

afterAll(() => providers.stopAll());

let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'development-idp-'));
});

afterAll(() => rm(scratch, { recursive: true }));

describe('keys', () => {
  it('rotates: a new key signs, tokens and codes under way stay valid', async () => {
    const rotating = await providers.start();
    const old = await passwordToken(rotating.issuer);
    const tokens = await codeFlow(rotating.issuer, {
      within: async (url) => {
        const callback = await signIn(url.href, 'admin');
        await rotating.rotateKeys();
        return callback;
      },
    });
    expect(decodeProtectedHeader(tokens.access_token).kid).not.toBe(decodeProtectedHeader(old).kid);
    for (const token of [old, tokens.access_token]) {
      await verify(token, rotating.issuer);
      expect((await userinfo(rotating.issuer, token)).status).toBe(200);
    }
  });

  it('outlive a restart in their file, which is for its owner alone', async () => {
    const keysFile = join(scratch, 'deep', 'keys.json');
    const first = await providers.start({ keysFile });
    await first.rotateKeys();
    const token = await passwordToken(first.issuer);
    await first.close();
    const second = await providers.start({ keysFile, port: Number(new URL(first.issuer).port) });
    await verify(token, second.issuer);
    expect((await userinfo(second.issuer, token)).status).toBe(200);
    expect((await stat(keysFile)).mode & 0o777).toBe(0o600);
  });

  it('never replace a file that holds something else', async () => {
    const keysFile = join(scratch, 'notes.json');
    await writeFile(keysFile, '{"dear":"diary"}');
    await expect(providers.start({ keysFile })).rejects.toThrow(`${keysFile} does not hold the keys`);
  });
});
