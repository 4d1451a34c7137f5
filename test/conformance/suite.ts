import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';

/** Pinned version, because another version has other scenarios. It needs Node.js 22, also from npm. */
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const NODE = 'node@22.23.3';

/** Time limit of one run of the suite, on a slow machine. */
const RUN_MS = 120_000;

export type Revision = '2025-11-25' | '2026-07-28';
export type Leg = 'server' | 'client';

/** One finding of a scenario. Only `SUCCESS` and `FAILURE` decide whether it passes. */
export interface Check {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** Checks by scenario. */
export type Findings = ReadonlyMap<string, readonly Check[]>;

interface Requirements {
  readonly server: readonly string[];
  readonly client: readonly string[];
  readonly not_scored: readonly { readonly scenario: string; readonly leg: Leg; readonly reason: string }[];
}

/** The official conformance suite, with the Node.js that it needs. */
export class ConformanceSuite {
  private constructor(
    private readonly node: string,
    private readonly script: string,
    private readonly folder: string,
  ) {}

  /** @throws when the packages are neither in npm's cache nor available from its registry */
  static async fetch(): Promise<ConformanceSuite> {
    const packages = [NODE, SUITE].map((name) => `--package=${name}`);
    const places = 'node -p process.execPath && command -v conformance';
    const { stdout } = await promisify(execFile)('npx', ['--yes', ...packages, '-c', places]).catch(
      (error: { readonly stderr?: string }) => {
        throw new Error(`npm did not bring ${SUITE} and ${NODE}:\n${error.stderr ?? ''}`);
      },
    );
    const [node, command] = stdout.trim().split('\n').slice(-2);
    if (node === undefined || command === undefined) throw new Error(`npx said ${stdout}`);
    return new ConformanceSuite(node, realpathSync(command), mkdtempSync(join(tmpdir(), 'conformance-')));
  }

  /** Scenarios that the revision requires, in the order of the suite. */
  scored(revision: Revision, leg: Leg): readonly string[] {
    return this.requirements(revision)[leg];
  }

  /** Scenarios that are run but do not count, with the reasons. */
  unscored(revision: Revision, leg: Leg): ReadonlyMap<string, string> {
    const entries = this.requirements(revision).not_scored.filter((entry) => entry.leg === leg);
    return new Map(entries.map(({ scenario, reason }) => [scenario, reason]));
  }

  /** Runs all scenarios of a revision against the server. */
  server(url: string, revision: Revision): Promise<Findings> {
    return this.run('server', ['--url', url, '--requirements', revision]);
  }

  /**
   * Runs one scenario with the client that the command starts. Call it for one scenario after another,
   * because parallel scenarios would disturb those that measure time.
   */
  async client(
    command: string,
    revision: Revision,
    scenario: string,
    environment: Record<string, string>,
  ): Promise<readonly Check[]> {
    // Scenarios of extensions belong to no revision. `--force` runs them anyway.
    const which = ['--scenario', scenario, '--spec-version', revision, '--force'];
    const [checks = []] = (await this.run('client', ['--command', command, ...which], environment)).values();
    return checks;
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async run(
    leg: Leg,
    parameters: readonly string[],
    environment: Record<string, string> = {},
  ): Promise<Findings> {
    const results = mkdtempSync(join(this.folder, 'results-'));
    const options = {
      env: { ...process.env, ...environment },
      maxBuffer: 256 * 1024 * 1024,
      timeout: RUN_MS,
    };
    // The suite exits with 1 when a scored scenario fails. Its result files show why, so the code is ignored.
    const output = await promisify(execFile)(
      this.node,
      [this.script, leg, ...parameters, '--output-dir', results],
      options,
    ).catch((error: { readonly stdout?: string; readonly stderr?: string }) => error);
    const findings = new Map<string, readonly Check[]>();
    for (const file of readdirSync(results, { recursive: true }) as string[]) {
      if (!file.endsWith('checks.json')) continue;
      const checks = JSON.parse(readFileSync(join(results, file), 'utf8')) as Check[];
      findings.set(scenarioOf(dirname(file), leg), checks);
    }
    if (findings.size === 0) throw new Error(`the suite found nothing:\n${output.stdout}\n${output.stderr}`);
    return findings;
  }

  private requirements(revision: Revision): Requirements {
    const file = join(dirname(this.script), '..', 'requirements', `${revision}.yaml`);
    return load(readFileSync(file, 'utf8')) as Requirements;
  }
}

/** Returns the scenario of a folder, which is named `server-<scenario>-<time>` or `<scenario>-<time>`. */
function scenarioOf(folder: string, leg: Leg): string {
  const name = folder.replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '');
  return leg === 'server' ? name.replace(/^server-/, '') : name;
}

/** Whether a scenario passes: it ran, and found no fault. The suite counts in the same way. */
export function passes(checks: readonly Check[] = []): boolean {
  return checks.length > 0 && checks.every(({ status }) => status !== 'FAILURE');
}
