import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { Repository } from 'typeorm';
import { BrokenRule, type GuardrailSet, Guardrails } from '../gate/ports/guardrails';
import type { Target } from '../gate/ports/target-directory';
import { loadSqlParser } from '../sql/parser';
import { AnalysisPool } from './analysis-pool';
import { CountedGuardrails, type RulesByDirection, rulesByDirection } from './counted-guardrails';
import { GuardrailEngine } from './guardrail-engine';
import { GuardrailRule } from './guardrail.entity';
import { RuleTally } from './rule-tally';

/** Two megabytes is what a large one weighs. */
const SETS = 200;

interface CompiledSet {
  readonly set: GuardrailSet;
  readonly rules: RulesByDirection;
}

/**
 * The rules of a target, asked for at each command by their versions and compiled into one set when one of them
 * changed: `xmin` changes with every write, also one by hand that leaves `updated_at` alone. Connections under the
 * same rules share a set. A rule that cannot be loaded or compiled throws, and the gate refuses the input.
 */
@Injectable()
export class CompiledGuardrails extends Guardrails implements OnModuleInit {
  private readonly sets = new LRUCache<string, Promise<CompiledSet>>({ max: SETS });

  constructor(
    @InjectRepository(GuardrailRule) private readonly rules: Repository<GuardrailRule>,
    private readonly pool: AnalysisPool,
    private readonly tally: RuleTally,
  ) {
    super();
  }

  async onModuleInit(): Promise<void> {
    await loadSqlParser();
  }

  async for(target: Target): Promise<GuardrailSet> {
    const isSql = target.subtype === 'postgres';
    const versions = await this.versionsOn(target);
    const key = [isSql ? 'sql' : 'text', ...versions.map(({ id, version }) => `${id}:${version}`)].join(' ');
    const { set, rules } = await this.compiled(key, () => this.compile(key, versions, target.orgId, isSql));
    return new CountedGuardrails(set, rules, target.orgId, this.tally);
  }

  /** One compilation for all who ask at once; a rule that is broken stays so until it is changed. */
  private compiled(key: string, compile: () => Promise<CompiledSet>): Promise<CompiledSet> {
    const known = this.sets.get(key);
    if (known !== undefined) return known;
    const fresh = compile();
    this.sets.set(key, fresh);
    fresh.catch((error: unknown) => {
      if (!(error instanceof BrokenRule)) this.sets.delete(key);
    });
    return fresh;
  }

  private async compile(
    key: string,
    versions: readonly { id: string; version: string }[],
    orgId: string,
    isSql: boolean,
  ): Promise<CompiledSet> {
    const ids = versions.map(({ id }) => id);
    const rows: (GuardrailRule & { xmin: string })[] =
      ids.length === 0
        ? []
        : await this.rules.query(
            'SELECT id, name, input, output, xmin::text FROM guardrail_rules WHERE org_id = $1 AND id = ANY ($2) ORDER BY name',
            [orgId, ids],
          );
    // Changed between the two reads, they are right for these commands, but the key names another version.
    const isCurrent = versions.every(({ id, version }) =>
      rows.some((row) => row.id === id && row.xmin === version),
    );
    if (!isCurrent) this.sets.delete(key);
    return { set: new GuardrailEngine(rows, isSql, this.pool), rules: rulesByDirection(rows) };
  }

  /** By id, or by a shared attribute; each found through its own index. */
  private versionsOn(target: Target): Promise<{ id: string; version: string }[]> {
    return this.rules.query(
      `SELECT id, xmin::text AS version FROM guardrail_rules
       WHERE org_id = $1 AND id IN (
         SELECT rule_id FROM guardrail_connections WHERE org_id = $1 AND connection_id = $2
         UNION
         SELECT id FROM guardrail_rules WHERE org_id = $1 AND attributes && $3)
       ORDER BY id`,
      [target.orgId, target.id, target.attributes],
    );
  }
}
