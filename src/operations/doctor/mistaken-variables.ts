import { distance } from 'fastest-levenshtein';
import { secretVariables } from '../../platform/config/secret-variables';
import { variables } from '../../platform/config/variables';

/** Maximum edit distance between a mistyped name and the correct name. Two swapped letters count as two. */
const MISTAKES = 2;
/** Minimum length of a name. Shorter names resemble names of other variables, such as `PORT` and `PATH`. */
const LONG = 7;

const OURS = new Set([...Object.keys(variables.shape), ...secretVariables.map((name) => `${name}_FILE`)]);

/** Returns variables with a typing mistake in their name, each with the name that was probably meant. */
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
