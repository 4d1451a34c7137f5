import type { EntityManager } from 'typeorm';
import { languageNamed } from '../../languages/languages';
import { targetKind } from '../../targets/kinds';
import { plainText } from '../../languages/plain';
import { withoutEffect } from '../entries/entries-without-effect';
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
  if (withoutEffect(rule, plainText).length === 0) return [];
  const reached = await db.query<ReachedConnection[]>(
    `SELECT name, subtype FROM connections
     WHERE org_id = $1 AND (id = ANY ($2::uuid[]) OR visible_names(attributes) && visible_names($3::text[]))
     ORDER BY name`,
    [rule.orgId, connectionIds, rule.attributes],
  );
  const names = new Map<string, string[]>();
  for (const { name, subtype } of reached) {
    const language = languageNamed(targetKind(subtype)?.language ?? '');
    for (const sentence of withoutEffect(rule, language))
      names.set(sentence, [...(names.get(sentence) ?? []), name]);
  }
  return [...names].map(([sentence, connections]) => `${sentence} on ${listed(connections)}`);
}

function listed(names: readonly string[]): string {
  const others = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${others > 0 ? ` and ${others} others` : ''}`;
}
