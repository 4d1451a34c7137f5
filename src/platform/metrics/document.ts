import type { MetricDefinition } from './definition/definition';
import { METRICS, PROCESS_METRICS } from './table';

const OF = {
  worker: 'Of each process',
  gateway: 'Of each gateway',
  database: 'Of the database',
} as const satisfies Record<MetricDefinition['of'], string>;

/** Returns the tables of `docs/operations/metrics.md` in Markdown. */
export function metricsTables(): string {
  const all: [string, MetricDefinition][] = Object.entries(METRICS);
  const own = Object.entries(OF).map(([of, title]) => {
    const rows = all.filter(([, metric]) => metric.of === of).map(([name, metric]) => row(name, metric));
    return rows.length === 0 ? '' : [`## ${title}`, '', ...HEAD, ...rows, ''].join('\n');
  });
  const measured = Object.entries(PROCESS_METRICS).map(([name, help]) => `| \`${name}\` | ${help} |`);
  const ofProcess = ['## Of Node.js', '', '| Metric | Meaning |', '| --- | --- |', ...measured].join('\n');
  return [...own.filter((part) => part !== ''), ofProcess].join('\n');
}

const HEAD = ['| Metric | Kind | Unit | Labels | Meaning |', '| --- | --- | --- | --- | --- |'];

function row(name: string, { kind, labels = {}, help }: MetricDefinition): string {
  const sets = Object.entries(labels).map(
    ([label, values]) => `\`${label}\`: ${values.map((value) => `\`${value}\``).join(', ')}`,
  );
  return `| \`${name}\` | ${kind} | ${unitOf(name)} | ${sets.join('; ')} | ${help} |`;
}

function unitOf(name: string): string {
  const word = name
    .replace(/_total$/, '')
    .split('_')
    .at(-1);
  return word === 'seconds' || word === 'bytes' ? word : 'count';
}
