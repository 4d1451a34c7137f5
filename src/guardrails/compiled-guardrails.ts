import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { Repository } from 'typeorm';
import { BrokenRule, type GuardrailSet, Guardrails } from '../gate/ports/guardrails';
import type { Target } from '../gate/ports/target-directory';
import type { Eventual } from '../kernel/eventual';
import type { Language } from '../languages/language';
import { languageNamed, loadLanguages } from '../languages/languages';
import { AnalysisPool } from './analysis-pool';
import { CountedGuardrails, rulesByDirection } from './counted-guardrails';
import { GuardrailEngine } from './guardrail-engine';
import { GuardrailRule } from './guardrail.entity';
import { RememberedSets } from './remembered-sets';
import { RuleTally } from './rule-tally';

/** Two megabytes is what a large one weighs. */
const SETS = 200;

/**
 * The rules of a target, remembered until the change feed tells that they may be others; then asked for by their
 * versions, and compiled into one set when one of them changed: `xmin` changes with every write, also one by hand that
 * leaves `updated_at` alone. Connections under the same rules share a set. A rule that cannot be loaded or compiled
 * throws, and the gate refuses the input.
 */
@Injectable()
export class CompiledGuardrails extends Guardrails implements OnModuleInit {
  private readonly sets = new LRUCache<string, Promise<GuardrailSet>>({ max: SETS });

  constructor(
    @InjectRepository(GuardrailRule) private readonly rules: Repository<GuardrailRule>,
    private readonly pool: AnalysisPool,
    private readonly tally: RuleTally,
    private readonly remembered: RememberedSets,
  ) {
    super();
  }

  async onModuleInit(): Promise<void> {
    await loadLanguages();
  }

  for(target: Target): Eventual<GuardrailSet> {
    return this.remembered.of(target, () => this.current(target));
  }

  private async current(target: Target): Promise<GuardrailSet> {
    const language = languageNamed(target.language);
    const versions = await this.versionsOn(target);
    const key = [language.name, ...versions.map(({ id, version }) => `${id}:${version}`)].join(' ');
    return this.compiled(key, () => this.compile(key, versions, target.orgId, language));
  }

  /** One compilation for all who ask at once; a rule that is broken stays so until it is changed. */
  private compiled(key: string, compile: () => Promise<GuardrailSet>): Promise<GuardrailSet> {
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
    language: Language,
  ): Promise<GuardrailSet> {
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
    const engine = new GuardrailEngine(rows, language, this.pool);
    return new CountedGuardrails(engine, rulesByDirection(rows), this.tally);
  }

  /**
   * By id, or by a shared attribute; each found through its own index. Attributes are those that the connection has by
   * now: a session that was entered before hears of new ones. The target's own are for one that is gone. Attributes are
   * compared by what is seen of them, so that a look-alike in the table does not escape its rules.
   */
  private versionsOn(target: Target): Promise<{ id: string; version: string }[]> {
    return this.rules.query(
      `SELECT id, xmin::text AS version FROM guardrail_rules
       WHERE org_id = $1 AND id IN (
         SELECT rule_id FROM guardrail_connections WHERE org_id = $1 AND connection_id = $2
         UNION
         SELECT id FROM guardrail_rules WHERE org_id = $1 AND visible_names(attributes) && visible_names(coalesce(
           (SELECT attributes FROM connections WHERE org_id = $1 AND id = $2), $3)))
       ORDER BY id`,
      [target.orgId, target.id, target.attributes],
    );
  }
}
