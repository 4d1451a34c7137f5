import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { Direction } from '../gate/ports/guardrails';
import { AppError } from '../kernel/app-error';
import { type CompiledEntry, compileRule } from './compiled-rules';
import type { GuardrailBody } from './guardrail.dto';
import { GuardrailRule } from './guardrail.entity';
import { definitionOf } from './rule-definition';

/** What a rule found where. `entry` is its place in the rule set of the direction, from 0. */
export interface InspectedHit {
  readonly rule_name: string;
  readonly entry: number;
  readonly start: number;
  readonly end: number;
  readonly matched: string;
}

/** Everything that rules find in a text. */
export type Inspector = (text: string) => InspectedHit[];

/** Why a rule holds on a connection. */
export interface AppliedRule {
  readonly id: string;
  readonly name: string;
  readonly origin: { readonly by: 'id' | 'attribute'; readonly value: string };
}

/** The Guardrails module's door for those who ask what rules would do. */
@Injectable()
export class RuleInspector {
  constructor(@InjectRepository(GuardrailRule) private readonly rules: Repository<GuardrailRule>) {}

  /** @throws AppError `unprocessable` for a draft that cannot be compiled or an id that does not exist. */
  async inspector(
    orgId: string,
    which: { rule?: GuardrailBody; ids: string[] },
    direction: Direction,
  ): Promise<Inspector> {
    const stored = which.ids.length === 0 ? [] : await this.rules.findBy({ orgId, id: In(which.ids) });
    const missing = which.ids.find((id) => !stored.some((rule) => rule.id === id));
    if (missing !== undefined)
      throw new AppError('unprocessable', `rule_ids names ${missing}, which does not exist`);
    const drafts = which.rule === undefined ? [] : [{ id: '', ...definitionOf(which.rule) }];
    const compiled = [...drafts, ...stored].map((rule) => ({
      name: rule.name,
      entries: compileRule(rule)[direction],
    }));
    return (text) =>
      compiled.flatMap(({ name, entries }) =>
        entries.flatMap((entry, index) => hits(name, entry, index, text)),
      );
  }

  /** The rules that hold on a connection; one that holds by id and by attribute is told by id. */
  async appliedTo(
    orgId: string,
    connectionId: string,
    attributes: readonly string[],
  ): Promise<AppliedRule[]> {
    const rows = await this.rules.query<
      { id: string; name: string; by_id: boolean; attribute: string | null }[]
    >(
      `SELECT rule.id, rule.name, binding.rule_id IS NOT NULL AS by_id,
              (SELECT min(a) FROM unnest(rule.attributes) AS a WHERE a = ANY ($3)) AS attribute
       FROM guardrail_rules AS rule
       LEFT JOIN guardrail_connections AS binding
         ON binding.org_id = $1 AND binding.rule_id = rule.id AND binding.connection_id = $2
       WHERE rule.org_id = $1 AND (binding.rule_id IS NOT NULL OR rule.attributes && $3)
       ORDER BY rule.name`,
      [orgId, connectionId, attributes],
    );
    return rows.map(({ id, name, by_id, attribute }) => ({
      id,
      name,
      origin: by_id ? { by: 'id', value: connectionId } : { by: 'attribute', value: attribute ?? '' },
    }));
  }
}

function hits(ruleName: string, entry: CompiledEntry, index: number, text: string): InspectedHit[] {
  return entry
    .matches(text)
    .map(({ start, end, text: matched }) => ({ rule_name: ruleName, entry: index, start, end, matched }));
}
