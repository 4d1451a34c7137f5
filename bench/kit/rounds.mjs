// Rounds by turns, so that other load on the machine affects all sides.
import { median } from './figures.mjs';

/**
 * Runs every side by turns: a round to warm up, then those that count.
 * @param sides by name
 * @param run brings figures by name, for one round of one side
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
