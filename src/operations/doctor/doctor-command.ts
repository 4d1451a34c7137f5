import { parseArgs } from 'node:util';
import { ConfigurationError } from '../../platform/config/environment';
import { messageOf } from '../../kernel/app-error';
import { versionText } from '../version-text';
import { checkAddresses } from './addresses-check';
import { checkArchive } from './archive-check';
import { checkDatabase } from './database-checks';
import { type Diagnosis, Reporter } from './diagnosis';
import { type Examined, examined } from './examined';
import { checkIdentityProvider } from './identity-provider-check';
import { checkJournal } from './journal-check';
import { checkPorts } from './ports-check';
import { checkSecretFiles } from './secret-files-check';
import { checkSettings } from './settings-check';
import { checkTls } from './tls-check';

const USAGE = `Examines the configuration of a gateway from end to end, and says what to do. It changes nothing, and contacts only what is configured;\n  in the bucket of ARCHIVE_URL it stores a small object, and removes it.

  doctor [--json] [--no-targets]
  doctor --version

  --json        prints one JSON document instead of lines
  --no-targets  does not open the targets of connections
  --version     prints the versions of this program, of its API and of its schema

Ends with 0 when there is no fault (there may be warnings), with 1 when there is one.
`;

const HEALTHY = 0;
const ILL = 1;
const settingsReport = new Reporter('settings');

/** Runs all checks and prints what they found. Returns the exit code. */
export async function doctorCommand(
  args: string[],
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<number> {
  const options = optionsOf(args);
  if (options === undefined || options.help === true) {
    print(USAGE);
    return options === undefined ? ILL : HEALTHY;
  }
  if (options.version === true) {
    print(`${versionText()}\n`);
    return HEALTHY;
  }
  const found = [
    new Reporter('version').ok(`This is ${versionText()}.`),
    ...(await examine(env, options['no-targets'] !== true)),
  ];
  const isHealthy = found.every(({ state }) => state !== 'fault');
  print(options.json === true ? jsonOf(found, isHealthy) : linesOf(found));
  return isHealthy ? HEALTHY : ILL;
}

function optionsOf(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        json: { type: 'boolean' },
        'no-targets': { type: 'boolean' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch {
    return undefined;
  }
}

async function examine(env: NodeJS.ProcessEnv, withTargets: boolean): Promise<Diagnosis[]> {
  let configuration: Examined;
  try {
    configuration = examined(env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.faults.map((fault) =>
      settingsReport.fault(
        `${fault}.`,
        'Correct it and run the doctor again: until then, nothing else is examined.',
      ),
    );
  }
  const { given } = configuration;
  const checks = await Promise.all([
    attempt('settings', () => checkSettings(configuration)),
    attempt('addresses', () => checkAddresses(configuration)),
    attempt('ports', () => checkPorts(configuration)),
    attempt('tls', () => checkTls(configuration)),
    attempt('secret files', () => checkSecretFiles(configuration)),
    given('DATABASE_URL') ? attempt('database', () => checkDatabase(configuration, withTargets)) : [],
    attempt('journal', () => checkJournal(configuration)),
    attempt('archive', () => checkArchive(configuration)),
    given('IDP_ISSUER') ? attempt('identity provider', () => checkIdentityProvider(configuration)) : [],
  ]);
  return checks.flat();
}

/** Runs a check and reports its error as a fault, so that the results of the other checks are still shown. */
async function attempt(
  check: Diagnosis['check'],
  look: () => Diagnosis[] | Promise<Diagnosis[]>,
): Promise<Diagnosis[]> {
  try {
    return await look();
  } catch (error) {
    return [
      new Reporter(check).fault(
        `This could not be examined (${messageOf(error)}).`,
        'Look whether it works at all.',
      ),
    ];
  }
}

function linesOf(found: readonly Diagnosis[]): string {
  const lines = found.map(
    ({ check, state, message, advice }) =>
      `${state.padEnd(7)}  ${check}: ${message}${advice === undefined ? '' : ` ${advice}`}\n`,
  );
  const count = (wanted: Diagnosis['state']) => found.filter(({ state }) => state === wanted).length;
  return `${lines.join('')}\n${counted(count('fault'), 'fault')}, ${counted(count('warning'), 'warning')}.\n`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function jsonOf(found: readonly Diagnosis[], healthy: boolean): string {
  return `${JSON.stringify({ healthy, checks: found }, null, 2)}\n`;
}
