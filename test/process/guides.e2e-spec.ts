import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { variables } from '../../src/platform/config/variables';
import { freePort, passwordToken } from '../support/gateway';
import { GatewayProcess, buildIfNeeded, temporaryFolder } from '../support/gateway-process';
import { ROOT } from '../support/root';
import { whyWithout } from '../support/tls';

const FOLDER = join(ROOT, 'docs/guides');

/**
 * Guides, each with patterns for the output of its blocks, in order. One shell runs all blocks of a guide,
 * and only the first blocks of those in `BEGINNINGS`. The guides in `ELSEWHERE` are not run here.
 */
const STORIES: Readonly<Record<string, readonly RegExp[]>> = {
  'api.md': [/"output":"id\\tname.*"exit_code":0/, /"name":"careful".*"kinds":\["drop","truncate"\]/],
  'psql.md': [/Grace Hopper/],
  'scripts.md': [
    /"output_status":"success".*"results":\[.*"count\\n3\\n"/,
    /"verdict":"block".*Tables of the demo are not dropped\./,
    /Grace Hopper.*\n.*Grace Hopper/,
    /"status":"done".*"exit_code":254.*admin/,
  ],
  'reviews.md': [
    /"name":"demo-by-dba"/,
    /"message":".*reason/,
    /"message":".*\n?.*"status":"APPROVED"/,
    /"output":"count\\n3\\n".*"message":"/,
    /"review_id":"[^"]+".*"status":"APPROVED".*"password":"[^"]+"/,
  ],
  'servers.md': [/"output":"config\.yml\\n.*"exit_code":0.*"output_status":"blocked"/],
};
/** The further blocks are for a server of the reader; `test/ssh` does what they do. */
const BEGINNINGS = ['servers.md'];
const ELSEWHERE = ['agents.md', 'production.md', 'ssh.md'];

/** Runs the commands of the guides on a gateway as `npm start` would start it. */
describe('the guides', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let gateway: GatewayProcess;
  let issuer = '';

  beforeAll(async () => {
    await buildIfNeeded();
    folder = await temporaryFolder();
    const port = await freePort();
    issuer = `http://127.0.0.1:${port}`;
    gateway = await GatewayProcess.start({ DATA_DIR: folder.path, DEV_IDP_PORT: String(port) });
  });

  afterAll(async () => {
    await gateway.stop();
    await folder.remove();
  });

  it('are all here', async () => {
    expect((await readdir(FOLDER)).sort()).toEqual([...Object.keys(STORIES), ...ELSEWHERE].sort());
  });

  it.each(Object.entries(STORIES))('%s: its commands work as they stand', async (guide, expected) => {
    if (guide === 'psql.md' && whyWithout('psql') !== undefined)
      return console.warn(`${guide} was not tried: psql is not installed here.`);
    const all = await blocksOf(guide);
    const blocks = BEGINNINGS.includes(guide) ? all.slice(0, expected.length) : all;
    const script = blocks.map((block) => `${block}\necho; echo ${SEPARATOR}`).join('\n');
    const printed = (await inShell(script)).split(SEPARATOR).slice(0, -1);
    expect(printed).toEqual(expected.map((pattern) => expect.stringMatching(new RegExp(pattern, 's'))));
  });

  it('name only settings that exist', async () => {
    const named = [...(await blocksOf('production.md')).join('\n').matchAll(/^export (.*)$/gm)].flatMap(
      ([, line = '']) => [...line.matchAll(/(?:^| )([A-Z_]+)=/g)].map(([, name = '']) => name),
    );
    expect(named).toContain('DATABASE_URL');
    expect(named.filter((name) => !(name in variables.shape))).toEqual([]);
  });

  /** Time limit of the shell. It also ends a loop in a guide that waits for something. */
  const SHELL_WITHIN_MS = 100_000;
  const SEPARATOR = '--- the next block ---';

  /** The commands of a guide, for this gateway. */
  async function blocksOf(guide: string): Promise<string[]> {
    const text = await readFile(join(FOLDER, guide), 'utf8');
    return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands = '']) =>
      commands
        .replaceAll('http://127.0.0.1:8009', gateway.origin)
        .replaceAll('http://127.0.0.1:8010', issuer),
    );
  }

  async function inShell(script: string): Promise<string> {
    const env = { ...process.env, TOKEN: await passwordToken(issuer, 'admin') };
    return (
      await promisify(execFile)('bash', ['-c', `set -eu\n${script}`], {
        cwd: ROOT,
        env,
        timeout: SHELL_WITHIN_MS,
      })
    ).stdout;
  }
});
