import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorld, type World, asked } from '../support/operation-world';
import { secretOf } from '../support/target';
import { IS_LONG } from '../support/volume';
import { type GeneratedClient, clients } from './generators';
import { isSkipped } from './own-tests';
import { type Command, Workshop } from './workshop';

/** Time limit of a test, including downloads of generators, compilers and packages. */
const PATIENCE_MS = 900_000;

/** An event of the stream: time, type and content. */
type Event = readonly [number, string, string];

interface Told {
  readonly plain: readonly Event[];
  readonly 'raw-queries': readonly Event[];
  readonly [what: string]: unknown;
}

/** Number of concurrent builds. A small machine has this many cores, and builds take most of the time. */
const BUILDS_AT_ONCE = 2;

type Built = Promise<Command | undefined>;

/**
 * `npm run test:clients`: generates clients from openapi.json with third-party generators, compiles them and
 * uses them against a gateway. CLIENTS selects clients: folders of test programs, separated by commas.
 */
describe('generated clients', () => {
  let world: World;
  let workshop: Workshop;
  let builds: ReadonlyMap<string, Built>;
  const wanted = process.env['CLIENTS']?.split(',');
  const tried = Object.entries(clients).filter(([name, client]) => {
    const isWanted = wanted === undefined ? isInShortForm(name, client) : wanted.includes(client.folder);
    return isWanted && !isSkipped(client.tools, name);
  });

  beforeAll(async () => {
    workshop = new Workshop(mkdtempSync(join(tmpdir(), 'gateway-clients-')));
    world = await startWorld();
    builds = startBuilds(tried, workshop);
  }, PATIENCE_MS);

  afterAll(async () => {
    await Promise.allSettled(builds.values());
    await world.close();
    rmSync(workshop.folder, { recursive: true, force: true });
  }, PATIENCE_MS);

  it.each(tried)(
    '%s',
    async (name, { folder }) => {
      const command = await builds.get(name);
      if (command === undefined) return;
      const { reviewId } = await asked(world.path);
      const connection = world.fresh();
      const told = await journey(command, folder, await environment(world, connection, reviewId));
      const output = 'one\n1\n';
      const contents = (events: readonly Event[]) => events.map(([, type, content]) => [type, content]);
      const base64 = (text: string) => Buffer.from(text).toString('base64');
      expect(told).toEqual({
        me: 'machine admin',
        catalog: true,
        connection,
        conflict: `409 a connection named ${connection} already exists`,
        listed: 1,
        updated: 'changed',
        // The change of one field kept the values of the other fields.
        kept: true,
        stale: '412 the resource has changed since you read it; read it again',
        missing: '404 there is no guardrail with this id',
        refused: expect.stringMatching(/^422 reviewers_groups must name at least one group/),
        rule: 600,
        blocked: 'blocked',
        output,
        plain: expect.anything(),
        utf8: [output],
        base64: [base64(output)],
        'raw-queries': expect.anything(),
        unreviewed: null,
        review: 'PENDING null',
        waiting: 'PENDING SELECT 1',
        gone: '404 there is no such connection',
        revoked: '401 this API key is revoked',
      });
      expect(contents(told.plain)).toEqual([
        ['i', base64('SELECT 1 AS one')],
        ['o', base64(output)],
      ]);
      expect(contents(told['raw-queries'])).toEqual([['i', base64('SELECT 1 AS one')]]);
    },
    PATIENCE_MS,
  );

  async function journey(command: Command, folder: string, given: Record<string, string>): Promise<Told> {
    const [program, ...parameters] = command;
    // Not spawnSync, because the gateway runs in this process and must not be blocked.
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

function isInShortForm(name: string, { isLong = false }: GeneratedClient): boolean {
  if (isLong && !IS_LONG) process.stderr.write(`${name}: only with TEST_VOLUME=long\n`);
  return IS_LONG || !isLong;
}

/** Starts all builds, `BUILDS_AT_ONCE` in parallel. Each test waits for its own build. */
function startBuilds(
  tried: readonly (readonly [string, GeneratedClient])[],
  workshop: Workshop,
): ReadonlyMap<string, Built> {
  const lanes: Built[] = Array.from({ length: BUILDS_AT_ONCE }, () => Promise.resolve(undefined));
  return new Map(
    tried.map(([name, client], index) => {
      const build = (lanes[index % BUILDS_AT_ONCE] as Built).then(() => client.build(workshop));
      // The next build of the lane starts even if this build fails. The client's test reports the failure.
      lanes[index % BUILDS_AT_ONCE] = build.catch(() => undefined);
      return [name, build];
    }),
  );
}

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
