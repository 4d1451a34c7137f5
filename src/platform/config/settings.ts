import { groupClasses, groups } from './groups';
import { type ResolvedEnvironment, resolveEnvironment } from './resolve';
import type { Environment } from './variables';

type Groups = { readonly [G in keyof typeof groupClasses]: InstanceType<(typeof groupClasses)[G]> };

/**
 * The whole configuration, complete and checked, by feature:
 * `settings.postgresProxy.port`. Nothing else of the environment is seen by modules. A
 * class that needs one group asks for that group alone (`PostgresProxySettings`).
 */
export abstract class Settings extends (Object as unknown as abstract new () => Groups) {}

/**
 * Joins the environment with what the development services provided in place of what was absent.
 * @throws ConfigurationError
 */
export function completeSettings(
  environment: Environment,
  provided: Partial<ResolvedEnvironment> = {},
): Settings {
  const resolved = resolveEnvironment(environment, provided);
  const valuesOf = (names: Readonly<Record<string, keyof ResolvedEnvironment>>): object =>
    Object.fromEntries(Object.entries(names).map(([key, name]) => [key, resolved[name]]));
  // The types of the groups are computed from the same table.
  return Object.fromEntries(
    Object.entries(groups).map(([name, names]) => [name, valuesOf(names)]),
  ) as unknown as Settings;
}
