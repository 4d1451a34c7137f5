import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { ROOT } from '../support/root';

interface RuleFile {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly labels: { readonly severity: string } }[];
  }[];
}

describe('docs/operations/alerts.md', () => {
  it('explains each rule of deploy/prometheus, with its severity, and no other', () => {
    const file = load(readFileSync(join(ROOT, 'deploy/prometheus/alerts.yaml'), 'utf8')) as RuleFile;
    const rules = file.groups.flatMap((group) => group.rules);
    const page = readFileSync(join(ROOT, 'docs/operations/alerts.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| [^|]+ \| [^|]+ \|$/gm)];
    const told = rows.map(([, name = '', severity = '']) => `${name} ${severity}`);
    expect(told.toSorted()).toEqual(rules.map(({ alert, labels }) => `${alert} ${labels.severity}`).sort());
    expect(rules.length).toBeGreaterThan(10);
  });
});
