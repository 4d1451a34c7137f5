import type { EntityManager } from 'typeorm';
import { languageNamed } from '../../languages/languages';
import { targetKind } from '../../targets/kinds';
import { entriesOfArguments, hasArguments, withoutEffect } from '../entries/entries-of-arguments';
import type { GuardrailRule } from './guardrail.entity';

/** Maximum number of connections that a warning names. The others are only counted. */
const MOST_NAMED = 10;

interface ReachedConnection {
  readonly name: string;
  readonly subtype: string;
}

/**
 * Returns warnings about legal but possibly unintended settings of a rule.
 * @param connectionIds the connections to which the rule is bound by id; it may reach more by attributes
 */
export async function guardrailWarnings(
  db: EntityManager,
  rule: GuardrailRule,
  connectionIds: readonly string[],
): Promise<string[]> {
  const entries = entriesOfArguments(rule);
  if (entries.length === 0) return [];
  const reached = await db.query<ReachedConnection[]>(
    `SELECT name, subtype FROM connections
     WHERE org_id = $1 AND (id = ANY ($2::uuid[]) OR visible_names(attributes) && visible_names($3::text[]))
     ORDER BY name`,
    [rule.orgId, connectionIds, rule.attributes],
  );
  const names = reached
    .filter(({ subtype }) => !hasArguments(languageNamed(targetKind(subtype)?.language ?? '')))
    .map(({ name }) => name);
  return names.length === 0 ? [] : [`${withoutEffect(entries)} on ${listed(names)}`];
}

function listed(names: readonly string[]): string {
  const others = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${others > 0 ? ` and ${others} others` : ''}`;
}
