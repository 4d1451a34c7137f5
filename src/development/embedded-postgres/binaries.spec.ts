import { chmod, cp, lstat, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries } from './binaries';
import { thisHost } from './host';

interface Link {
  readonly target: string;
}

describe('the programs of the npm package', () => {
  let base: string;
  let root: string;
  let links: Link[];
  const lines: string[] = [];
  const find = (packageRoot: () => string | undefined = () => root) =>
    findBinaries({ account: undefined, home: base }, { ...thisHost, packageRoot }, (line) =>
      lines.push(line),
    );

  beforeEach(async () => {
    lines.length = 0;
    base = await realpath(await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'gateway-pg-bin-')));
    root = join(base, 'package');
    await mkdir(join(root, 'native', 'bin'), { recursive: true });
  });

  afterEach(async () => {
    await chmod(join(root, 'native', 'lib'), 0o755).catch(() => undefined);
    await rm(base, { recursive: true, force: true });
  });

  async function packageWithoutLinks(): Promise<void> {
    await cp(thisHost.packageRoot()!, root, { recursive: true, verbatimSymlinks: true });
    links = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as Link[];
    await Promise.all(links.map(({ target }) => rm(join(root, target), { force: true })));
  }

  it('work where they are, and get the links that a skipped install script did not make', async () => {
    await packageWithoutLinks();
    expect(await find()).toMatchObject({ postgres: join(root, 'native', 'bin', 'postgres') });
    for (const { target } of links) expect((await lstat(join(root, target))).isSymbolicLink()).toBe(true);
    expect(lines).toEqual([]);
  });

  // Skipped for root, because root can write into read-only folders.
  (thisHost.isRoot ? it.skip : it)(
    'are copied once if the links cannot be made (root always can)',
    async () => {
      await packageWithoutLinks();
      await chmod(join(root, 'native', 'lib'), 0o555);
      const found = await find();
      expect(found.postgres).toMatch(/postgresql-[^/]+\/native\/bin\/postgres$/);
      expect(await find()).toEqual(found);
      expect(lines.filter((line) => line.startsWith('copied'))).toHaveLength(1);
    },
  );

  it('are said to be missing, with what to do', async () => {
    const absent = find(() => undefined);
    await expect(absent).rejects.toThrow(/no embedded PostgreSQL for this platform .*DATABASE_URL/);
  });

  it.each([
    ['whose loader is missing (musl)', '#!/no/such/loader\n'],
    ['that fail', '#!/bin/sh\necho "wrong libc" >&2; exit 127\n'],
  ])('%s count as missing', async (_, content) => {
    await writeFile(join(root, 'native', 'bin', 'postgres'), content, { mode: 0o755 });
    await writeFile(join(root, 'package.json'), '{"version":"0"}');
    await expect(find()).rejects.toThrow(/no embedded PostgreSQL for this platform .*DATABASE_URL/);
  });
});
