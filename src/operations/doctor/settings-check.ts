import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';
import { mistakenVariables } from './mistaken-variables';

const report = new Reporter('settings');
const NEEDED = ['DATABASE_URL', 'IDP_ISSUER', 'IDP_CLIENT_ID', 'SECRET_KEY'] as const;

/** Reports missing and misspelled variables, and valid settings that are probably a mistake. */
export function checkSettings(examined: Examined): Diagnosis[] {
  const { process: processes, database } = examined.settings;
  const { workers } = processes;
  const connections = workers * (database.poolSize + 4);
  return [
    ...checkAbsent(examined),
    ...checkNames(examined),
    ...checkSecrets(examined),
    report.ok(
      `The settings are valid: ${workers === 1 ? '1 process' : `${workers} processes`}, at most ${connections} connections to the database.`,
    ),
  ];
}

function checkAbsent({ isProduction, given }: Examined): Diagnosis[] {
  const absent = NEEDED.filter((name) => !given(name));
  if (absent.length > 0)
    return [
      report.warning(
        `${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} not set, so services for development stand in.`,
        'Set all of them for people who rely on this gateway; what is absent is not examined.',
      ),
    ];
  if (isProduction) return [];
  return [
    report.warning(
      'NODE_ENV is not production.',
      'Set NODE_ENV=production: then nothing is ever embedded or generated, and SIGTERM waits for load balancers.',
    ),
  ];
}

function checkNames({ variables }: Examined): Diagnosis[] {
  return [...mistakenVariables(variables)].map(({ name, meant }) =>
    report.warning(
      `${name} is set, and the gateway does not read it.`,
      `Is ${meant} meant? Rename or unset it.`,
    ),
  );
}

function checkSecrets({ settings, given }: Examined): Diagnosis[] {
  const { identityProvider, sealing } = settings;
  const found: Diagnosis[] = [];
  if (given('SECRET_KEY') && new Set(sealing.keys.map(String)).size < sealing.keys.length)
    found.push(report.warning('SECRET_KEY lists a key twice.', 'Leave the second one out.'));
  if (identityProvider.clientSecret === undefined && given('IDP_ISSUER'))
    found.push(
      report.warning(
        'IDP_CLIENT_SECRET is not set: the gateway is a public client.',
        'Give it a secret at the identity provider, unless that is meant; PKCE is used in any case.',
      ),
    );
  return found;
}
