import { readEnvironment } from '../../platform/config/environment';
import { type Settings, completeSettings } from '../../platform/config/settings';
import { secretVariables } from '../../platform/config/secret-variables';
import type { Environment } from '../../platform/config/variables';

/**
 * Placeholders for values that `npm start` provides in development. They are never used, because each check
 * calls `given` first.
 */
const PROVIDED = {
  DATABASE_URL: 'postgres://127.0.0.1/none',
  IDP_ISSUER: 'http://127.0.0.1',
  IDP_CLIENT_ID: 'none',
  SECRET_KEY: [Buffer.alloc(32)],
};

type Provided = keyof typeof PROVIDED;

/**
 * The configuration that the doctor examines. It is as complete as the configuration of a running gateway.
 */
export interface Examined {
  readonly settings: Settings;
  /** Whether `NODE_ENV` is `production`, where a missing variable is a fault. */
  readonly isProduction: boolean;
  /**
   * Returns whether an operator set the variable. If not, a development service provides the value, and the
   * value is not checked.
   */
  readonly given: (name: Provided) => boolean;
  /** Files from which secrets were read, by the name of the variable without `_FILE`. */
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
