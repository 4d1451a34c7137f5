import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type TestGateway, startGateway } from '../support/gateway';
import { ROOT } from '../support/root';

const run = (file: string, ...parameters: string[]) =>
  promisify(execFile)(process.execPath, [file, ...parameters], { cwd: ROOT });

/** Exports of hey-api/journey.ts. It is a separate project, because this test generates its imports. */
interface Journey {
  journey(baseUrl: string, token: string): Promise<object>;
  refusal(id: string): Promise<object>;
}

/** Generates a client with a third-party generator, compiles it and uses it as a user would. */
describe('the client of @hey-api/openapi-ts', () => {
  let gateway: TestGateway;
  let folder: string;
  let client: Journey;

  beforeAll(async () => {
    gateway = await startGateway();
    folder = await mkdtemp(join(tmpdir(), 'gateway-client-'));
    await cp(join(__dirname, 'hey-api'), folder, { recursive: true });
    const generator = join(dirname(require.resolve('@hey-api/openapi-ts/package.json')), 'bin', 'run.js');
    await run(generator, '-i', join(ROOT, 'openapi.json'), '-o', join(folder, 'generated'), '--no-log-file');
    await run(require.resolve('typescript/bin/tsc'), '-p', folder).catch((error: { stdout: string }) => {
      throw new Error(`the client does not compile:\n${error.stdout}`);
    });
    client = await import(join(folder, 'compiled', 'journey.js'));
  }, 240_000);

  afterAll(async () => {
    await gateway.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('creates, reads, changes and deletes each resource', async () => {
    expect(await client.journey(gateway.api, await gateway.token('admin'))).toEqual({
      guardrail: { read: 'no-drops', changed: 'changed', end: 204 },
      accessRule: { read: 'prod', changed: 600, end: 204 },
      connection: { read: 'orders', changed: ['replaced', ['dba']], end: 204 },
      attribute: { read: 'secret stuff/1', changed: 'changed', end: 204 },
      user: { read: 'idp|1', changed: ['inactive', ['dba']], end: 204 },
      group: { read: 'night shift', changed: undefined, end: 204 },
      apiKey: { read: 'nightly', changed: 'revoked', end: 204 },
    });
  });

  it('brings the plain words of an error', async () => {
    expect(await client.refusal('nope')).toEqual({ message: 'id must be a UUID' });
  });
});
