import { distance } from 'fastest-levenshtein';
import { secretVariables } from '../../platform/config/secret-variables';
import { variables } from '../../platform/config/variables';

/** Differences that a typing mistake makes: two letters in the wrong order count as two. */
const MISTAKES = 2;
/** Shorter names are near to names that mean something else: `PORT` and `PATH`. */
const LONG = 7;

const OURS = new Set([...Object.keys(variables.shape), ...secretVariables.map((name) => `${name}_FILE`)]);

/** Variables that a gateway does not read, each with the one that is probably meant. */
export function mistakenVariables(names: readonly string[]): { name: string; meant: string }[] {
  return names
    .filter((name) => !OURS.has(name))
    .flatMap((name) => {
      const meant = nearestOf(name);
      return meant === undefined ? [] : [{ name, meant }];
    });
}

function nearestOf(name: string): string | undefined {
  const near = [...OURS]
    .filter((ours) => Math.min(ours.length, name.length) >= LONG)
    .map((ours) => ({ ours, far: distance(ours, name.toUpperCase().replaceAll('-', '_')) }))
    .filter(({ far }) => far <= MISTAKES)
    .sort((a, b) => a.far - b.far);
  return near[0]?.ours;
}
