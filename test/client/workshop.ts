import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/root';
import { aloneWithMaven } from './maven';

export const DESCRIPTION = join(ROOT, 'openapi.json');
const JOURNEYS = join(__dirname, 'journeys');

type Generator = 'oapi-codegen' | 'openapi-generator' | 'openapi-python-client';

/** Pinned versions of the generators, because another version generates another client. */
export const versions = JSON.parse(
  readFileSync(join(ROOT, 'clients', 'generators.json'), 'utf8'),
) as Readonly<Record<Generator, string>>;

export type Command = readonly [program: string, ...parameters: string[]];

/** A separate folder for everything that is generated and built. Package managers use their own caches. */
export class Workshop {
  private jar: Promise<string> | undefined;
  private lastMaven: Promise<unknown> = Promise.resolve();

  constructor(readonly folder: string) {}

  /** Runs a command asynchronously, because the gateway under test runs in this process. */
  async run([program, ...parameters]: Command, within = '.'): Promise<string> {
    const { stdout } = await promisify(execFile)(program, parameters, {
      cwd: join(this.folder, within),
      // Two clients are built concurrently, so each build uses one core.
      env: {
        ...process.env,
        GOMAXPROCS: '1',
        GOFLAGS: '-mod=mod',
        CARGO_BUILD_JOBS: '1',
        CARGO_PROFILE_DEV_DEBUG: '0',
      },
      maxBuffer: 64 * 1024 * 1024,
    }).catch((error: { message: string; stdout?: string; stderr?: string }) => {
      throw new Error(`${error.message}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`);
    });
    return stdout;
  }

  /** Generates a client in `<name>/<place>`, beside the program that uses it. */
  async generate(name: string, place: string, generator: string, ...options: string[]): Promise<void> {
    this.jar ??= this.fetchGenerator();
    const jar = await this.jar;
    this.copyJourney(name);
    const from = ['generate', '-i', DESCRIPTION, '-o', join(name, place), '-g', generator];
    await this.run(['java', '-Xmx1g', '-jar', jar, ...from, ...options]);
  }

  copyJourney(name: string): void {
    mkdirSync(join(this.folder, name), { recursive: true });
    const journey = join(JOURNEYS, name);
    if (readdirSync(JOURNEYS).includes(name)) cpSync(journey, join(this.folder, name), { recursive: true });
  }

  /** Runs Maven commands one by one, because two concurrent Maven 3 damage each other's local repository. */
  maven(parameters: readonly string[], within = '.'): Promise<string> {
    const result = this.lastMaven.then(() =>
      this.run(aloneWithMaven(['mvn', '-q', '-B', ...parameters]), within),
    );
    this.lastMaven = result.catch(() => undefined);
    return result;
  }

  private async fetchGenerator(): Promise<string> {
    const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${versions['openapi-generator']}`;
    await this.maven(['dependency:get', artifact, '-Dtransitive=false']);
    await this.maven(['dependency:copy', artifact, '-DoutputDirectory=.']);
    return join(this.folder, `openapi-generator-cli-${versions['openapi-generator']}.jar`);
  }
}
