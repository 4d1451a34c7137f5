import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildSync, stop } from 'esbuild';
import type * as Kept from '../../../clients/cli/src/kept/secret-store';
import { ROOT } from '../../support/root';

const SOURCE = join(ROOT, 'clients/cli/src/kept/secret-store.ts');
const CLIENT = join(ROOT, 'clients/typescript/src/index.ts');
const URL = 'https://gateway.example.com/api';
const FILE = 'a file that only you can read';
const KEYCHAIN = 'the keychain';

/** A fake `secret-tool`. It stores one secret in a file, and fails while the file `locked` exists. */
const SECRET_TOOL = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
[ ! -e locked ] || exit 1
case "$1" in
  lookup) cat secret 2> /dev/null ;;
  store) cat > secret ;;
  clear) rm -f secret ;;
esac
`;

// macOS has a keychain of its own, which this test must not touch.
const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('the store of sign-ins, with the keychain of a Linux desktop', () => {
  const env = { ...process.env };
  let folder: string;
  let locked: string;
  const built = mkdtempSync(join(tmpdir(), 'gateway-secret-store-'));
  let store: () => ReturnType<typeof Kept.secretStore>;
  const filesOfSignIns = () =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('sign-in')) : [];

  beforeAll(() => {
    const outfile = join(built, 'secret-store.cjs');
    const alias = { '@access-gateway/client': CLIENT };
    buildSync({ entryPoints: [SOURCE], outfile, alias, bundle: true, platform: 'node', format: 'cjs' });
    const kept = require(outfile) as typeof Kept;
    store = () => kept.secretStore(process.env);
  });

  afterAll(async () => {
    rmSync(built, { recursive: true });
    // Stops the worker thread of esbuild.
    await stop();
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-secrets-'));
    locked = join(folder, 'locked');
    writeFileSync(join(folder, 'secret-tool'), SECRET_TOOL, { mode: 0o755 });
    process.env['PATH'] = `${folder}${delimiter}${env['PATH']}`;
    process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nowhere';
    process.env['GATEWAY_CONFIG_DIR'] = folder;
    delete process.env['GATEWAY_KEYCHAIN'];
  });

  afterEach(() => {
    process.env = { ...env };
    rmSync(folder, { recursive: true });
  });

  it('uses the keychain, and no file', () => {
    expect(store().read(URL)).toBeUndefined();
    expect(store().write(URL, 'one')).toBe(KEYCHAIN);
    expect(store().read(URL)).toBe('one');
    expect(filesOfSignIns()).toEqual([]);
  });

  it('reads the newest secret, wherever it could be kept', () => {
    expect(store().write(URL, 'one')).toBe(KEYCHAIN);
    writeFileSync(locked, '');
    expect(store().write(URL, 'two')).toBe(FILE);
    expect(store().read(URL)).toBe('two');
    rmSync(locked);
    // The keychain still has the old refresh token. If it were used again, the gateway would end the sign-in.
    expect(store().read(URL)).toBe('two');
    expect(store().write(URL, 'three')).toBe(KEYCHAIN);
    expect(store().read(URL)).toBe('three');
    expect(filesOfSignIns()).toEqual([]);
  });

  it('forgets the secret in both', () => {
    store().write(URL, 'one');
    writeFileSync(locked, '');
    store().write(URL, 'two');
    rmSync(locked);
    store().remove(URL);
    expect(store().read(URL)).toBeUndefined();
  });
});
