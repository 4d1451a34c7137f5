import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { Repository } from 'typeorm';
import { type GuardrailSet, Guardrails } from '../gate/ports/guardrails';
import type { Target } from '../gate/ports/target-directory';
import { type CompiledRule, CompiledRules, type RuleDefinition, compileRule } from './compiled-rules';
import { GuardrailRule } from './guardrail.entity';

const COMPILED_RULES = 2_000;

/**
 * The rules of a target, read at each command and compiled once per version of a rule: `xmin` changes with
 * every write, also one by hand that leaves `updated_at` alone. A rule that cannot be loaded or compiled
 * throws, and the gate refuses the input.
 */
@Injectable()
export class CompiledGuardrails extends Guardrails {
  private readonly compiled = new LRUCache<string, CompiledRule>({ max: COMPILED_RULES });

  constructor(@InjectRepository(GuardrailRule) private readonly rules: Repository<GuardrailRule>) {
    super();
  }

  async for(target: Target): Promise<GuardrailSet> {
    const rows = await this.rulesThatApplyTo(target);
    return new CompiledRules(rows.map((row) => this.compile(row)));
  }

  private compile(row: RuleDefinition & { version: string }): CompiledRule {
    const key = `${row.id}:${row.version}`;
    const known = this.compiled.get(key);
    if (known !== undefined) return known;
    const fresh = compileRule(row);
    this.compiled.set(key, fresh);
    return fresh;
  }

  /** By id, or by a shared attribute; each found through its own index. */
  private rulesThatApplyTo(target: Target): Promise<(RuleDefinition & { version: string })[]> {
    return this.rules.query(
      `SELECT id, name, input, output, xmin::text AS version FROM guardrail_rules
       WHERE org_id = $1 AND id IN (
         SELECT rule_id FROM guardrail_connections WHERE org_id = $1 AND connection_id = $2
         UNION
         SELECT id FROM guardrail_rules WHERE org_id = $1 AND attributes && $3)
       ORDER BY name`,
      [target.orgId, target.id, target.attributes],
    );
  }
}
