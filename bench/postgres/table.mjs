// Rounds, medians, and what is printed of them.
import { median } from '../sessions/figures.mjs';

/** `run` for each column by turns, after a turn to warm up; the medians of what it brings, by column. */
export async function byTurns(columns, rounds, run) {
  const results = columns.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, column] of columns.entries()) {
      const result = await run(column, round === 0);
      if (round > 0) results[index].push(result);
    }
  }
  const medianOf = (figures, key) => median(figures.map((figure) => figure[key]));
  return Object.fromEntries(
    columns.map(({ name }, index) => [
      name,
      { rate: medianOf(results[index], 'rate'), cost: medianOf(results[index], 'cost') },
    ]),
  );
}

/** A row for each measurement: the rate of each column, and below it the processor time on the way. */
export function print(rows, columns) {
  const line = (head, cells) =>
    console.log(head.padEnd(24) + cells.map((cell) => cell.padStart(12)).join(''));
  const names = columns.map(({ name }) => name);
  line('', names);
  for (const { name, unit, of } of rows) {
    line(
      `${name}, ${unit}`,
      names.map((column) => Math.round(of[column].rate).toString()),
    );
    if (of.direct !== undefined)
      line(
        '  of direct',
        names.map((column) => share(of[column].rate, of.direct.rate).toFixed(2)),
      );
    const costs = names.map((column) => of[column].cost);
    const each = unit === 'tx/s' ? '  µs on the way' : '  ns on the way';
    line(
      each,
      costs.map((cost) => (Number.isNaN(cost) ? '' : cost.toFixed(unit === 'tx/s' ? 1 : 0))),
    );
  }
  console.log();
}

/** Of each column to direct and to PgBouncer, where these were measured: `{ prepared_8: { guarded_of_direct: 0.5 } }`. */
export function ratios(rows) {
  return Object.fromEntries(
    rows.map(({ name, of }) => [
      name,
      Object.fromEntries(
        ['direct', 'pgbouncer']
          .filter((base) => of[base] !== undefined)
          .flatMap((base) =>
            Object.entries(of)
              .filter(([column]) => column !== base && column !== 'direct')
              .map(([column, { rate }]) => [`${column}_of_${base}`, share(rate, of[base].rate)]),
          ),
      ),
    ]),
  );
}

function share(rate, of) {
  return Math.round((rate / of) * 100) / 100;
}
