import { readEnvironment } from '../../platform/config/environment';
import { type Settings, completeSettings } from '../../platform/config/settings';
import { secretVariables } from '../../platform/config/secret-variables';
import type { Environment } from '../../platform/config/variables';

/** Stands for what `npm start` provides in development; never used, because checks ask `given` first. */
const PROVIDED = {
  DATABASE_URL: 'postgres://127.0.0.1/none',
  IDP_ISSUER: 'http://127.0.0.1',
  IDP_CLIENT_ID: 'none',
  SECRET_KEY: [Buffer.alloc(32)],
};

type Provided = keyof typeof PROVIDED;

/** The configuration that the doctor examines: complete, like that of a gateway. */
export interface Examined {
  readonly settings: Settings;
  /** In production, what is missing is a fault. */
  readonly isProduction: boolean;
  /** Whether an operator gave it; otherwise development services stand in, which need no doctor. */
  readonly given: (name: Provided) => boolean;
  /** Files from which secrets were read, by the variable without `_FILE`. */
  readonly secretFiles: ReadonlyMap<string, string>;
  /** Names of all variables of the environment. */
  readonly variables: readonly string[];
}

/** @throws ConfigurationError with everything that is wrong. */
export function examined(env: NodeJS.ProcessEnv): Examined {
  const environment = readEnvironment(env);
  const absent = Object.entries(PROVIDED).filter(([name]) => environment[name as Provided] === undefined);
  return {
    settings: completeSettings(environment, Object.fromEntries(absent)),
    isProduction: environment.NODE_ENV === 'production',
    given: (name) => isGiven(environment, name),
    secretFiles: secretFilesOf(env),
    variables: Object.keys(env),
  };
}

function secretFilesOf(env: NodeJS.ProcessEnv): Map<string, string> {
  const files = secretVariables.map((name) => [name, env[`${name}_FILE`] ?? ''] as const);
  return new Map(files.filter(([, file]) => file !== ''));
}

function isGiven(environment: Environment, name: Provided): boolean {
  return environment[name] !== undefined;
}
