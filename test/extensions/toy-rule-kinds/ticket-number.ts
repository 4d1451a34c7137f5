import type { EntryFields } from '../../../src/guardrails/kinds/contract/entry-fields';
import type { RuleKind } from '../../../src/guardrails/kinds/contract/kind';

const fields = {
  projects: { form: 'texts', description: 'keys of projects, in capitals.', maxLength: 8 },
} as const satisfies EntryFields;

/** A kind of rule that finds texts by a pattern search of the engine. */
export const ticketNumber: RuleKind<'ticket_number', typeof fields> = {
  type: 'ticket_number',
  summary: 'numbers of tickets, such as OPS-12',
  directions: ['input', 'output'],
  fields,
  example: { projects: ['OPS'] },
  compile({ projects = [] }) {
    if (projects.length === 0) throw new Error('projects must not be empty');
    return { kind: 'pattern', pattern: `\\b(?:${projects.join('|')})-[0-9]+`, steps: 100 };
  },
};
