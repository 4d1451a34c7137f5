// Runs rounds of all compared sides alternately, so that other load on the machine affects all sides.
import { median } from './figures.mjs';

/**
 * Runs all sides alternately: one round to warm up, then the measured rounds.
 * @param sides what is compared, by name
 * @param run runs one round of one side, and returns its figures by name
 * @returns the medians of the figures of each side, by its name
 */
export async function byTurns(sides, rounds, run) {
  const all = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, side] of Object.entries(sides)) {
      const figures = await run(side, round === 0);
      if (round > 0) all[name].push(figures);
    }
  }
  return Object.fromEntries(Object.entries(all).map(([name, figures]) => [name, medians(figures)]));
}

function medians(figures) {
  const names = Object.keys(figures[0]);
  return Object.fromEntries(names.map((name) => [name, median(figures.map((one) => one[name]))]));
}
