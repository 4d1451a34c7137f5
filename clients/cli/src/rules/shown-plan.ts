import { cell } from '../shown/harmless.js';
import { shownChange } from './difference.js';
import type { Plan } from './plan.js';

const MARKS = { create: '+', change: '~', delete: '-' } as const;
const NAMED = 10;

/** Formats a plan for people. */
export function shownPlan({ changes, same, others }: Plan): string[] {
  const lines = changes.flatMap(({ kind, name, action, fields }) => [
    `${MARKS[action]} ${kind.label} ${cell(name)}`,
    ...fields.flatMap((field) => shownChange(field).map((line) => `    ${line}`)),
  ]);
  const count = (action: keyof typeof MARKS): number => changes.filter((one) => one.action === action).length;
  const sum =
    changes.length === 0
      ? `Nothing differs: ${same} as the files say.`
      : `${count('create')} to create, ${count('change')} to change, ${count('delete')} to delete, ${same} as the files say.`;
  return [...lines, ...(lines.length === 0 ? [] : ['']), sum, ...leftAlone(others)];
}

function leftAlone(others: Plan['others']): string[] {
  if (others.length === 0) return [];
  const some = others.slice(0, NAMED).map(({ kind, name }) => `${kind.label} ${cell(name)}`);
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : '';
  return [`In no file, and left alone: ${some.join(', ')}${more}. --prune deletes them.`];
}

/** Formats a plan for programs. */
export function planView({ changes, same, others }: Plan): object {
  return {
    changes: changes.map(({ kind, name, action, fields }) => ({
      section: kind.section,
      name,
      action,
      fields,
    })),
    same,
    others: others.map(({ kind, name }) => ({ section: kind.section, name })),
  };
}
