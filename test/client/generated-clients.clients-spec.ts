import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorld, type World, asked } from '../support/operation-world';
import { secretOf } from '../support/target';
import { type Command, Workshop, clients } from './generators';

/** Generators, compilers and their packages come from registries. */
const PATIENCE_MS = 900_000;

/** As an event of the stream: what came, without when. */
type Event = readonly [number, string, string];

interface Told {
  readonly plain: readonly Event[];
  readonly 'raw-queries': readonly Event[];
  readonly [what: string]: unknown;
}

const missing = (tools: readonly string[]) =>
  tools.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);

/**
 * npm run test:clients: clients of foreign make are generated from openapi.json, compiled and used against a
 * gateway, as a stranger would.
 */
describe('generated clients', () => {
  let world: World;
  let workshop: Workshop;

  beforeAll(async () => {
    workshop = new Workshop(mkdtempSync(join(tmpdir(), 'gateway-clients-')));
    world = await startWorld();
  }, PATIENCE_MS);

  afterAll(async () => {
    await world.close();
    rmSync(workshop.folder, { recursive: true, force: true });
  }, PATIENCE_MS);

  for (const [name, client] of Object.entries(clients)) {
    const absent = missing(client.tools);
    if (absent.length > 0) {
      // oxlint-disable-next-line jest/no-disabled-tests
      it.skip(`${name}: not tried, ${absent.join(', ')} is not installed`, () => undefined);
      continue;
    }
    it(
      name,
      async () => {
        const command = await client.build(workshop);
        if (command === undefined) return;
        const { reviewId } = await asked(world.path);
        const connection = world.fresh();
        const told = await journey(command, folderOf(name), await environment(world, connection, reviewId));
        const output = 'one\n1\n';
        const contents = (events: readonly Event[]) => events.map(([, type, content]) => [type, content]);
        const base64 = (text: string) => Buffer.from(text).toString('base64');
        expect({ ...told, error: String(told['error']).replaceAll('": "', '":"') }).toEqual({
          catalog: true,
          connection,
          blocked: 'blocked',
          output,
          plain: expect.anything(),
          utf8: [output],
          base64: [base64(output)],
          'raw-queries': expect.anything(),
          unreviewed: null,
          review: 'PENDING null',
          waiting: 'PENDING SELECT 1',
          error: expect.stringMatching(/^404 \{"message":"[a-z ]+"\}$/),
        });
        expect(contents(told.plain)).toEqual([
          ['i', base64('SELECT 1 AS one')],
          ['o', base64(output)],
        ]);
        expect(contents(told['raw-queries'])).toEqual([['i', base64('SELECT 1 AS one')]]);
      },
      PATIENCE_MS,
    );
  }

  /** Where its journey lies: the last part of the name, or all of it. */
  function folderOf(name: string): string {
    const folders: Record<string, string> = {
      'openapi-generator, java okhttp-gson': 'java-okhttp',
      'oapi-codegen, go': 'oapi-codegen',
    };
    return folders[name] ?? name.replace(/^openapi-generator, /, '').replace(' ', '-');
  }

  async function journey(command: Command, folder: string, given: Record<string, string>): Promise<Told> {
    const [program, ...parameters] = command;
    // Not spawnSync: the gateway lives in this process.
    const child = spawn(program, parameters, {
      cwd: join(workshop.folder, folder),
      env: { ...process.env, ...given },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`its program ended with ${String(code)}:\n${stdout}\n${stderr}`);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Told;
  }
});

async function environment(
  world: World,
  connection: string,
  review: string,
): Promise<Record<string, string>> {
  return {
    GATEWAY_API: world.gateway.api,
    GATEWAY_TOKEN: await world.gateway.token('admin'),
    NAME: connection,
    REVIEW: review,
    TARGET: Object.entries(secretOf(world.path.target))
      .map(([key, value]) => `${key}=${value}`)
      .join(' '),
  };
}
