import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

/**
 * Each file that relies on private parts of a dependency, or of Node.js, and
 * the test that fails when a version changes them.
 */
const RELYING: Readonly<Record<string, string>> = {
  'src/platform/database/pools/driver-stream.ts': 'src/platform/database/pools/driver-stream.spec.ts',
  'src/development/embedded-postgres/other-process.fixture.cjs':
    'src/development/embedded-postgres/embedded-postgres.spec.ts',
  'src/guardrails/matching/re2-parts.ts': 'src/guardrails/matching/re2-parts.spec.ts',
  'src/platform/http/body/transformer-parts.ts': 'src/platform/http/body/transformer-parts.spec.ts',
  'src/platform/http/edge/allowed-methods.ts': 'src/platform/http/edge/allowed-methods.spec.ts',
  'src/platform/http/dto/nest-parts.ts': 'src/platform/http/dto/nest-parts.spec.ts',
  'src/languages/postgresql/parsing/parser-engine.ts':
    'src/languages/postgresql/parsing/parser-engine.spec.ts',
  'src/proxies/kit/socket-reads.ts': 'src/proxies/kit/socket-reads.spec.ts',
  'src/proxies/ssh/driver/channel-parts.ts': 'src/proxies/ssh/driver/channel-parts.spec.ts',
  'src/proxies/ssh/driver/global-requests.ts': 'src/proxies/ssh/driver/global-requests.spec.ts',
  'src/proxies/ssh/driver/opening-parts.ts': 'src/proxies/ssh/driver/opening-parts.spec.ts',
  'src/targets/postgres/driver-parts.ts': 'src/targets/postgres/driver-parts.spec.ts',
  'src/targets/ssh/driver-parts.ts': 'src/targets/ssh/driver-parts.spec.ts',
  'src/process/orphaned-connections.ts': 'src/process/orphaned-connections.spec.ts',
  'test/support/body-routes.ts': 'test/openapi/fields-without-effect.e2e-spec.ts',
  'test/support/injection-graph.ts': 'test/structure/injection-graph.spec.ts',
  'test/support/jest/environment.cjs': 'test/support/jest/shared-modules.spec.ts',
  'test/support/jest/leaks.cjs': 'test/support/jest/leaks.spec.ts',
  'test/support/jest/runtime.cjs': 'test/support/jest/shared-modules.spec.ts',
  'test/support/jest/typescript.cjs': 'test/support/jest/shared-modules.spec.ts',
  'test/support/oidc-context.ts': 'test/support/identity-provider.spec.ts',
  'test/support/pg-parts.ts': 'test/support/pg-parts.spec.ts',
  'test/support/route-handlers.ts': 'test/access/route-matrix.e2e-spec.ts',
  'test/support/ssh/packet-sizes.ts': 'src/targets/ssh/driver-parts.spec.ts',
  'test/support/ssh/raw-ssh-client.ts': 'test/ssh/many-channels.e2e-spec.ts',
  'test/support/routes.ts': 'test/http/routes.e2e-spec.ts',
};

/** Files that seem to rely on private parts, with the reason why they do not. */
const HARMLESS: Readonly<Record<string, string>> = {
  'src/identity/auth/credential.strategy.ts':
    'passport hands over whatever a strategy succeeds with; its types know Express.User only',
  'src/platform/config/groups.ts': 'a class of our own, made of its fields',
  'src/platform/config/settings.ts': 'a class of our own, made of its fields',
  'src/guardrails/matching/byte-scanner.ts': 'WebAssembly is public, only its types are not loaded',
  'src/guardrails/entries/stored-entry.ts': 'an entry of our own, whose kind has checked it',
  'test/support/tls.ts': 'a describe that skips, in the type of describe',
  'test/support/played-relay.ts':
    'a relay uses only the part of a socket that is a Duplex, and one method of the types',
};

/** Submodules of packages that are documented, so importing them is allowed. */
const OFFERED = new Set([
  '@modelcontextprotocol/sdk/client/index.js',
  '@modelcontextprotocol/sdk/client/streamableHttp.js',
  '@modelcontextprotocol/sdk/server/index.js',
  '@modelcontextprotocol/sdk/server/sse.js',
  '@modelcontextprotocol/sdk/server/streamableHttp.js',
  '@modelcontextprotocol/sdk/shared/protocol.js',
  '@modelcontextprotocol/sdk/types.js',
  'ajv/dist/2020',
  'csv-parse/sync',
  'csv-stringify/sync',
  'libphonenumber-js/max',
  'typeorm/driver/postgres/PostgresDriver',
]);

/** Returns code that relies on private parts of dependencies. Skips specs, which fail by themselves. */
function signsIn(text: string): string[] {
  const modules = [...text.matchAll(/(?:\bfrom |\brequire\(|\bimport\()'((?:@[\w-]+\/)?[\w.-]+)\/([^']+)'/g)]
    .filter(([, name = '']) => !name.startsWith('.') && !name.startsWith('node:'))
    .map(([, name, path]) => `${name}/${path}`)
    .filter((module) => !OFFERED.has(module));
  // `_meta` is allowed, because the Model Context Protocol defines this name.
  const others = text.matchAll(
    /\bas unknown as\b|getOwnPropertySymbols|\._(?!meta\b)[a-z]\w*|(?:get|has)Metadata\(\s*(?:'|\w*METADATA)|'newconn'/g,
  );
  return [...modules, ...[...others].map(([sign]) => sign)];
}

describe('private parts of others', () => {
  const files = ['src', 'test']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => /\.(ts|cjs)$/.test(file) && !/spec\.ts$|\.d\.ts$/.test(file))
    // Excludes separate projects, which are compiled together with a generated client.
    .filter((file) => !/^test\/client\/(hey-api|journeys)\//.test(file));

  it('are used in the files that are listed here, and nowhere else', () => {
    const using = files
      .map((file) => ({ file, signs: signsIn(readFileSync(join(ROOT, file), 'utf8')) }))
      .filter(({ signs }) => signs.length > 0);
    const listed = { ...RELYING, ...HARMLESS };
    expect(using.filter(({ file }) => !(file in listed))).toEqual([]);
    const found = using.map(({ file }) => file);
    expect(Object.keys(listed).filter((file) => !found.includes(file))).toEqual([]);
  });

  it('have a test that says when a version changes them', () => {
    expect(Object.values(RELYING).filter((spec) => !existsSync(join(ROOT, spec)))).toEqual([]);
    // The spec of a file in src must contain the name of the file.
    const silent = Object.entries(RELYING)
      .filter(([file]) => file.startsWith('src/') && !file.includes('.fixture.'))
      .filter(([file, spec]) => !readFileSync(join(ROOT, spec), 'utf8').includes(`'${file}')`));
    expect(silent).toEqual([]);
  });

  it.each([
    "import { x } from 'pg/lib/x';",
    "const x = require('@scope/name/x');",
    'const y = x as unknown as { hidden: string };',
    'socket._handle.close();',
    "Reflect.getMetadata('swagger/apiResponse', handler);",
    'Reflect.getMetadata(ROUTE_ARGS_METADATA, controller);',
  ])('would be found: %s', (line) => {
    expect(signsIn(line)).toHaveLength(1);
  });

  it.each([
    "import { x } from './lib/x';",
    "import { x } from 'node:fs/promises';",
    "import { stringify } from 'csv-stringify/sync';",
  ])('are none: %s', (line) => {
    expect(signsIn(line)).toEqual([]);
  });
});
