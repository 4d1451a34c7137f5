import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuleEntry } from '../../../src/guardrails/entries/rule-entry';

/** An ordinary statement. Its marks name its effects. Only rules against these effects may refuse it. */
export interface Ordinary {
  readonly text: string;
  readonly marks: ReadonlySet<string>;
}

/** The statements of ordinary.sql, which explains its marks. */
export function ordinaryStatements(): Ordinary[] {
  const file = readFileSync(join(__dirname, 'ordinary.sql'), 'utf8');
  const [, ...pieces] = file.split(/^(?=-- next(?:: .*)?$)/m);
  return pieces.map((piece) => {
    const end = piece.indexOf('\n');
    const marks = piece.slice('-- next: '.length, end).split(' ');
    return {
      text: piece.slice(end + 1).replace(/\n$/, ''),
      marks: new Set(marks.filter((mark) => mark !== '')),
    };
  });
}

/** Whether a statement rule has to refuse the statement. */
export function isForbidden({ marks }: Ordinary, rule: RuleEntry): boolean {
  return (
    marks.has('hidden') ||
    (rule.kinds ?? []).some((kind) => marks.has(kind)) ||
    (rule.without_where === true && marks.has('without_where')) ||
    (rule.tables ?? []).some(({ name }) => marks.has(`table:${name.split('.').at(-1)}`))
  );
}
