import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeForgotten } from './server-folder';

describe('folders of the test server', () => {
  it('are removed when their run is dead; those of living runs and of others stay', async () => {
    const base = await mkdtemp(join(tmpdir(), 'gateway-forgotten-'));
    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    const living = `gateway-test-${process.pid}-a`;
    for (const name of [living, `gateway-test-${dead}-b`, 'gateway-test-c', 'other']) {
      await mkdir(join(base, name, 'postgres'), { recursive: true });
      await writeFile(join(base, name, 'postgres', 'data'), '');
    }
    await removeForgotten(base);
    expect((await readdir(base)).sort()).toEqual(['gateway-test-c', living, 'other'].sort());
    await rm(base, { recursive: true });
  });
});
