import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeProcesses } from '../support/describe';
import { freePort } from '../support/free-port';
import { GatewayProcess } from '../support/gateway-process';
import { type BuiltImage, buildImage, commandIn, whyNoReplay } from '../support/operations/image-build';
import { imageStages } from '../support/operations/image-file';
import { ROOT } from '../support/root';
import { secretOf } from '../support/target';

/** Allows fifteen minutes for two installations and a build. */
jest.setTimeout(900_000);

const reason = whyNoReplay();

it('every stage begins with a base that is pinned by its digest, of the same Node.js', async () => {
  const bases = imageStages(await readFile(join(ROOT, 'Dockerfile'), 'utf8')).map(({ base }) => base);
  expect(new Set(bases).size).toBe(1);
  expect(bases[0]).toMatch(/^node:\d+-[a-z-]+@sha256:[0-9a-f]{64}$/);
});

if (reason !== undefined) it.skip(`the image (skipped: ${reason})`, () => undefined);
else
  describeProcesses('the image, by the steps of the Dockerfile', ({ folder, target, production, begin }) => {
    let image: BuiltImage;
    let gateway: GatewayProcess;
    let environment: Record<string, string>;
    const journal = (): string => join(folder.path, 'journal');
    const run = (...command: string[]): Promise<{ stdout: string }> => {
      const [file, ...args] = commandIn(image, command, journal());
      return promisify(execFile)(file, args, { env: { ...environment, PATH: process.env['PATH'] } });
    };

    begin(
      async () => {
        image = await buildImage(join(folder.path, 'image'));
        await mkdir(journal());
        const [uid, gid] = image.user.split(':').map(Number) as [number, number];
        await chown(journal(), uid, gid);
        const postgresPort = String(await freePort());
        environment = {
          ...image.stage.environment,
          ...production.variables,
          POSTGRES_PROXY_PORT: postgresPort,
          NODE_COMPILE_CACHE: '/tmp/compile-cache',
        };
        gateway = await GatewayProcess.spawn(environment, commandIn(image, image.stage.command, journal()));
        return gateway;
      },
      async (started) => {
        started.kill('SIGKILL');
        await started.exited;
      },
    );

    // promises: IMAGE-1
    it('is built without a network, but for npm ci, and serves with a root that it cannot write', async () => {
      await gateway.says('"listening on');
      const token = await production.token();
      const body = {
        name: 'orders',
        type: 'database',
        subtype: 'postgres',
        secret: secretOf(target),
        access_groups: ['*'],
      };
      expect((await gateway.post('/connections', token, body)).status).toBe(201);
      const asked = { connection: 'orders', script: 'SELECT name FROM customers WHERE id = 1' };
      expect(await (await gateway.post('/sessions', token, asked)).text()).toContain('Grace');
      const page = await fetch(gateway.origin, { headers: { accept: 'text/html' } });
      expect(await page.text()).toMatch(/assets\/index-[^"]+\.js/);
      const status = await readFile(`/proc/${gateway.pid}/status`, 'utf8');
      expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
      expect(status).toMatch(/^CapBnd:\t0+$/m);
      expect(await readdir(journal())).not.toEqual([]);
      await run(...image.stage.healthcheck);
      for (const path of ['/app/file', '/file', '/var/lib/file', '/app/dist/bundle/main.js'])
        await expect(run('touch', path)).rejects.toThrow(/Read-only file system|Permission denied/);
      expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    });

    // promises: IMAGE-2
    it('says what it is made of: each package that it has, and what the portal was made of', async () => {
      const components = await componentsOf(image);
      const installed = await packagesIn(join(image.root, image.folder, 'node_modules'));
      expect(installed.length).toBeGreaterThan(50);
      expect(installed.filter((name) => !components.includes(name))).toEqual([]);
      expect(components.filter((name) => /^(react|react-dom|@mantine\/core)@/.test(name))).toHaveLength(3);
    });
  });

/** Returns `name@version` of each component in the image's SBOM. */
async function componentsOf({ root, folder }: BuiltImage): Promise<string[]> {
  const text = await readFile(join(root, folder, 'sbom', 'access-gateway.cdx.json'), 'utf8');
  const { bomFormat, components } = JSON.parse(text) as {
    bomFormat: string;
    components: { name: string; version: string; purl: string }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  for (const { purl } of components) expect(purl).toMatch(/^pkg:npm\//);
  return components.map(({ name, version }) => `${name}@${version}`);
}

/** Returns `name@version` of each installed package, nested packages included. */
async function packagesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of await readdir(folder, { recursive: true })) {
    const [, name] = /(?:^|node_modules\/)((?:@[^/]+\/)?[^/@.][^/]*)\/package\.json$/.exec(path) ?? [];
    if (name === undefined) continue;
    const { version } = JSON.parse(await readFile(join(folder, path), 'utf8')) as { version?: string };
    if (version !== undefined) found.push(`${name}@${version}`);
  }
  return [...new Set(found)];
}
