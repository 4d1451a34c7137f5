import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ODD_FOLDERS } from './spellings';

/** Text of the file that rules guard. */
export const SECRET_TEXT = 'the secret text\n';

/**
 * A folder with `secret`, which rules guard, and `open`, which belongs to the attacker. A server of SFTP
 * begins in it, so that paths may be relative.
 */
export class PathWorld {
  private constructor(readonly folder: string) {}

  static async create(): Promise<PathWorld> {
    const parent = await realpath(await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'sftp-paths-')));
    const world = new PathWorld(join(parent, 'world'));
    await world.reset();
    return world;
  }

  /** Makes everything as it was at the beginning. Odd paths may have left files beside the folder. */
  async reset(): Promise<void> {
    const { folder } = this;
    for (const name of await readdir(dirname(folder)))
      await rm(join(dirname(folder), name), { recursive: true, force: true });
    await mkdir(join(folder, 'secret', 'sub'), { recursive: true });
    await mkdir(join(folder, 'secret', 'empty'));
    await mkdir(join(folder, 'open', 'sub'), { recursive: true });
    await writeFile(join(folder, 'secret', 'key.txt'), SECRET_TEXT, { mode: 0o600 });
    await writeFile(join(folder, 'open', 'mine.txt'), 'mine\n');
    await symlink('../secret', join(folder, 'open', 'to-secret'));
    await symlink('../secret/sub', join(folder, 'open', 'to-sub'));
    for (const name of Object.values(ODD_FOLDERS))
      await mkdir(Buffer.concat([Buffer.from(`${folder}/open/`), name]));
  }

  /** Whether there is something beside the folder, which no guarded path names. */
  async hasStrays(): Promise<boolean> {
    return (await readdir(dirname(this.folder))).length > 1;
  }

  /** The things that an attacker wants to change, as a text that differs after each change. */
  async state(): Promise<string> {
    const file = join(this.folder, 'secret', 'key.txt');
    if (!existsSync(file)) return 'gone';
    const { mode, nlink } = await stat(file);
    const others = ['secret/new.txt', 'secret/new', 'secret/empty'].map((name) =>
      existsSync(join(this.folder, name)),
    );
    return JSON.stringify([await readFile(file, 'utf8'), mode, nlink, others]);
  }

  async close(): Promise<void> {
    await rm(dirname(this.folder), { recursive: true, force: true });
  }
}
