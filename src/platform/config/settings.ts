import { groupClasses, groups } from './groups';
import { type ResolvedEnvironment, resolveEnvironment } from './resolve';
import type { Environment } from './variables';

type Groups = { readonly [G in keyof typeof groupClasses]: InstanceType<(typeof groupClasses)[G]> };

/**
 * The whole configuration, complete and checked, by feature: `settings.postgresProxy.port`. Modules see
 * nothing else of the environment. A class that needs one group injects only this group
 * (`PostgresProxySettings`).
 */
export abstract class Settings extends (Object as unknown as abstract new () => Groups) {}

/**
 * Builds the settings from the environment, and from values of the development services for absent variables.
 * @throws ConfigurationError
 */
export function completeSettings(
  environment: Environment,
  provided: Partial<ResolvedEnvironment> = {},
): Settings {
  const resolved = resolveEnvironment(environment, provided);
  const valuesOf = (names: Readonly<Record<string, keyof ResolvedEnvironment>>): object =>
    Object.fromEntries(Object.entries(names).map(([key, name]) => [key, resolved[name]]));
  // The cast is safe, because the types of the groups are derived from the table `groups`.
  return Object.fromEntries(
    Object.entries(groups).map(([name, names]) => [name, valuesOf(names)]),
  ) as unknown as Settings;
}
