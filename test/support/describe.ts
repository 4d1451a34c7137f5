import { type DataPath, startDataPath } from './data-path';
import { type TestDatabase, freshDatabase } from './database';
import { type GatewayOptions, type TestGateway, startGateway } from './gateway';
import {
  type Folder,
  type Production,
  buildIfNeeded,
  productionEnvironment,
  temporaryFolder,
} from './gateway-process';
import { type GuardedPath, startGuardedPath } from './guarded-path';
import { type HostileProvider, startHostileProvider, trusting } from './hostile-provider';
import { type ReviewPath, type ReviewPeople, startReviewPath } from './review-path';
import { type Begin, scoped } from './scoped';
import { freshTarget } from './target';
import { type WirePath, startWirePath } from './wire-path';

/** Time for a build, on a machine that is busy with other tests. */
const BUILT_WITHIN_MS = 240_000;

/**
 * A `describe` for tests that need a gateway. It starts its own gateway before its tests and closes it after
 * them, so that no file sees the data of another.
 *
 * ```ts
 * describeDataPath('a script', { environment: { SCRIPT_ANSWER_SECONDS: '1' } }, ({ path }) => {
 *   it('is run', async () => {
 *     expect((await path.run('SELECT 1')).status).toBe(200);
 * ```
 */
type Describe<Options, Started> = {
  (title: string, body: Body<Started>): void;
  (title: string, options: Options, body: Body<Started>): void;
};
/** Body of a `describe`. It receives the started parts, and `begin` to start more. */
type Body<Started> = (given: Started & { readonly begin: Begin }) => void;

interface OnPath<Path> {
  readonly path: Path;
  /** The gateway of the path: the same object as `path.gateway`. */
  readonly gateway: TestGateway;
}
interface Settings {
  readonly environment?: Record<string, string>;
}

/** `describe` whose body starts things with `begin`. They start in order before the tests. */
export function describeScoped(title: string, body: (begin: Begin) => void): void {
  describe(title, scoped(body));
}

/** `describe` with a gateway. */
export const describeGateway: Describe<GatewayOptions, { readonly gateway: TestGateway }> = describing(
  (begin, options) => ({ gateway: begin(() => startGateway(options)) }),
);

/** `describe` with a gateway and its connection `orders` to a real database. */
export const describeDataPath: Describe<
  Settings & Pick<GatewayOptions, 'provider'>,
  OnPath<DataPath>
> = describing((begin, options) =>
  onPath(begin, () => startDataPath(options?.environment, options?.provider)),
);

/** `describe` with a data path, and with clients of the PostgreSQL port under guardrail rules. */
export const describeGuardedPath: Describe<Settings, OnPath<GuardedPath>> = describing((begin, options) =>
  onPath(begin, () => startGuardedPath(options?.environment)),
);

/** `describe` with a data path and a second database, which tests also reach directly to compare answers. */
export const describeWirePath: Describe<Settings, OnPath<WirePath>> = describing((begin, options) =>
  onPath(begin, () => startWirePath(options?.environment)),
);

/** `describe` with a data path, helpers for reviews, and more people (names with their groups). */
export const describeReviewPath: Describe<{ readonly people: ReviewPeople }, OnPath<ReviewPath>> = describing(
  (begin, options) => onPath(begin, () => startReviewPath(options?.people)),
);

/** `describe` with a gateway that trusts an identity provider whose answers the test sets. */
export const describeHostileProvider: Describe<
  Settings,
  { readonly provider: HostileProvider; readonly gateway: TestGateway }
> = describing((begin, options) => {
  const provider = begin(startHostileProvider);
  const gateway = begin(() =>
    startGateway({ environment: { ...trusting(provider), ...options?.environment } }),
  );
  return { provider, gateway };
});

interface OfProcesses {
  readonly folder: Folder;
  readonly database: TestDatabase;
  readonly target: TestDatabase;
  readonly production: Production;
}

/** `describe` with the parts that gateways in production need. Tests start each gateway as a process. */
export function describeProcesses(title: string, body: Body<OfProcesses>): void {
  const start = scoped((begin) => {
    beforeAll(buildIfNeeded, BUILT_WITHIN_MS);
    const folder = begin(temporaryFolder, (it) => it.remove());
    const database = begin(
      () => freshDatabase(),
      (it) => it.drop(),
    );
    const target = begin(freshTarget, (it) => it.drop());
    const production = begin(
      () => productionEnvironment(database.url),
      ({ provider }) => provider.close(),
    );
    body({ folder, database, target, production, begin });
  });
  describe(title, start);
}

function describing<Options, Started>(
  start: (begin: Begin, options?: Options) => Started,
): Describe<Options, Started> {
  return (title: string, ...given: [Body<Started>] | [Options, Body<Started>]) => {
    const body = given.at(-1) as Body<Started>;
    const options = given.length === 2 ? given[0] : undefined;
    describeScoped(title, (begin) => body({ ...start(begin, options), begin }));
  };
}

function onPath<Path extends DataPath>(begin: Begin, start: () => Promise<Path>): OnPath<Path> {
  const path = begin(start);
  return { path, gateway: begin(() => path.gateway, stay) };
}

/** Does nothing. The end function for a gateway that is closed together with its data path. */
export function stay(): void {}
