// Prints the results of the rounds.
import { rounded } from '../kit/figures.mjs';
/** Prints the rate of each column, and the processor time of the process between client and target. */
export function print(rows, columns) {
  const line = (head, cells) =>
    console.log(head.padEnd(24) + cells.map((cell) => cell.padStart(14)).join(''));
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

/**
 * Returns ratios such as `{ prepared_8: { guarded_of_direct: 0.5 } }`: each column is compared with `direct`
 * and with the programs of others, if these were measured.
 */
export function ratios(rows) {
  return Object.fromEntries(
    rows.map(({ name, of }) => [
      name,
      Object.fromEntries(
        ['direct', 'pgbouncer', 'hoop_inspect']
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
  return rounded(rate / of);
}
