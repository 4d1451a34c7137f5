import { readFileSync } from 'node:fs';
import { messageOf } from '../../kernel/app-error';
import { strictText } from '../../kernel/text/strict-utf8';
import { tlsPairFault } from './tls-pair';
import { OWN_HOSTS, asInAddresses } from './values';
import { archiveFaults } from './archive-variables';
import { secretVariables } from './secret-variables';
import { type Environment, variables } from './variables';

const OTLP_ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
] as const;

/** Reports all faults of the configuration at once, one line a fault. */
export class ConfigurationError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigurationError';
  }
}

/** Reads and checks the environment. An empty variable counts as absent. @throws ConfigurationError */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const faults: string[] = [];
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value !== '') given[name] = value;
  }
  for (const name of secretVariables) readSecretFile(name, given, faults);

  const parsed = variables.safeParse(given);
  for (const issue of parsed.error?.issues ?? [])
    faults.push(`${issue.path[0]?.toString()}: ${issue.message}`);
  faults.push(...missing(given), ...tlsFaults(given), ...syslogFaults(given));
  if (parsed.success) faults.push(...plainTransportFaults(parsed.data));
  faults.push(...archiveFaults(given, parsed.data?.ARCHIVE_ALLOWED_HOSTS ?? []));
  if (!parsed.success || faults.length > 0) throw new ConfigurationError([...new Set(faults)]);
  return parsed.data;
}

function readSecretFile(name: string, given: Record<string, string>, faults: string[]): void {
  const file = given[`${name}_FILE`];
  if (file === undefined) return;
  if (given[name] !== undefined) {
    faults.push(`${name} and ${name}_FILE are both set; keep one`);
    return;
  }
  try {
    const secret = strictText(readFileSync(file), file).trim();
    if (secret === '') faults.push(`${name}_FILE: ${file} is empty`);
    else given[name] = secret;
  } catch (error) {
    faults.push(`${name}_FILE: ${messageOf(error)}`);
  }
}

function missing(given: Record<string, string>): string[] {
  const required =
    given['NODE_ENV'] === 'production' ? ['DATABASE_URL', 'IDP_ISSUER', 'IDP_CLIENT_ID', 'SECRET_KEY'] : [];
  if (given['IDP_ISSUER'] !== undefined) required.push('IDP_CLIENT_ID');
  return [...new Set(required)]
    .filter((name) => given[name] === undefined && given[`${name}_FILE`] === undefined)
    .map(
      (name) =>
        `${name}: missing${given['NODE_ENV'] === 'production' ? ' (required in production)' : ' (required with IDP_ISSUER)'}`,
    );
}

/**
 * Returns faults of the TLS certificate and its key: one of them is missing, or they do not belong together.
 * Checked at the start, because otherwise the faults would appear only when a client connects.
 */
function tlsFaults({ TLS_CERT, TLS_KEY, ...given }: Record<string, string>): string[] {
  const isGiven = (name: string, value?: string): boolean =>
    value !== undefined || given[`${name}_FILE`] !== undefined;
  const hasKey = isGiven('TLS_KEY', TLS_KEY);
  if (isGiven('TLS_CERT', TLS_CERT) !== hasKey)
    return [
      hasKey ? 'TLS_CERT: missing (required with TLS_KEY)' : 'TLS_KEY: missing (required with TLS_CERT)',
    ];
  if (TLS_CERT === undefined || TLS_KEY === undefined) return [];
  const fault = tlsPairFault({ cert: TLS_CERT, key: TLS_KEY });
  return fault === undefined ? [] : [`TLS_CERT: cannot be used with TLS_KEY (${fault})`];
}

function syslogFaults({ SYSLOG_CERT, SYSLOG_KEY }: Record<string, string>): string[] {
  if ((SYSLOG_CERT === undefined) !== (SYSLOG_KEY === undefined))
    return ['SYSLOG_CERT and SYSLOG_KEY: one is missing; the one needs the other'];
  if (SYSLOG_CERT === undefined || SYSLOG_KEY === undefined) return [];
  const fault = tlsPairFault({ cert: SYSLOG_CERT, key: SYSLOG_KEY });
  return fault === undefined ? [] : [`SYSLOG_CERT: cannot be used with SYSLOG_KEY (${fault})`];
}

/** Faults of exports without TLS, which may only go to this machine and to `EXPORT_ALLOWED_HOSTS`. */
function plainTransportFaults(environment: Environment): string[] {
  const allowed = [...environment.EXPORT_ALLOWED_HOSTS, ...OWN_HOSTS];
  const advice = 'without TLS, add its host to EXPORT_ALLOWED_HOSTS';
  const { SYSLOG_URL } = environment;
  const ofSyslog =
    SYSLOG_URL === undefined || SYSLOG_URL.isTls || allowed.includes(SYSLOG_URL.host)
      ? []
      : [`SYSLOG_URL: must be tls://…; ${advice}`];
  const ofCollectors = OTLP_ENDPOINTS.flatMap((name) => {
    const url = environment[name] === undefined ? undefined : new URL(environment[name]);
    if (url === undefined || url.protocol === 'https:' || allowed.includes(asInAddresses(url.hostname)))
      return [];
    return [`${name}: must be https://…; ${advice}`];
  });
  return [...ofSyslog, ...ofCollectors];
}
