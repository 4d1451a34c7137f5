import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { Repository } from 'typeorm';
import { throwPassing } from '../../platform/database/faults/passing-fault';
import { BrokenRule, type GuardrailSet, Guardrails } from '../../gate/ports/guardrails';
import type { Target } from '../../gate/ports/target-directory';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import type { Language } from '../../languages/language';
import { languageNamed, loadLanguages } from '../../languages/languages';
import { AnalysisPool } from '../analysis/analysis-pool';
import { CountedGuardrails, rulesByDirection } from './counted-guardrails';
import { GuardrailEngine } from '../engine/guardrail-engine';
import { GuardrailRule } from './guardrail.entity';
import { KEEPS_ROLE } from '../entries/role-rule';
import type { RuleDefinition } from '../entries/rule-entry';
import { RememberedSets } from './remembered-sets';
import { RuleTally } from './rule-tally';
import { entriesAtMost } from '../../kernel/runtime/entries-at-most';

/** Maximum number of cached sets of compiled rules. A large set takes two megabytes. */
const SETS = 200;

/**
 * The compiled rules of a target, cached until the change feed reports a change. Then the versions of the
 * rules are read again, and a set is compiled when one of them changed. The version is `xmin`, which changes
 * with every write, even with a manual one that does not change `updated_at`. Connections with the same rules
 * share a set. If a rule cannot be loaded or compiled, `for` throws, and the gate refuses the input.
 */
@Injectable()
export class CompiledGuardrails extends Guardrails implements OnModuleInit {
  private readonly sets = new LRUCache<string, Promise<GuardrailSet>>(entriesAtMost(SETS));

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

  get areCached(): boolean {
    return this.remembered.areKept;
  }

  for(target: Target): MaybePromise<GuardrailSet> {
    return this.remembered.of(target, () => this.current(target).catch(throwPassing));
  }

  private async current(target: Target): Promise<GuardrailSet> {
    const language = languageNamed(target.language);
    const versions = await this.versionsOn(target);
    const own = target.role === undefined ? [] : [KEEPS_ROLE];
    const key = [
      language.name,
      ...own.map(({ name }) => name),
      ...versions.map(({ id, version }) => `${id}:${version}`),
    ].join(' ');
    return this.compiled(key, () => this.compile(key, versions, target.orgId, { language, own }));
  }

  /**
   * Single flight: concurrent callers share one compilation. A broken rule stays cached until it is changed.
   */
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
    { language, own }: { readonly language: Language; readonly own: readonly RuleDefinition[] },
  ): Promise<GuardrailSet> {
    const ids = versions.map(({ id }) => id);
    const rows: (GuardrailRule & { xmin: string })[] =
      ids.length === 0
        ? []
        : await this.rules.query(
            'SELECT id, name, input, output, xmin::text FROM guardrail_rules WHERE org_id = $1 AND id = ANY ($2) ORDER BY name',
            [orgId, ids],
          );
    // False when a rule changed after its version was read. Then the set is right for this command, but must
    // not be cached, because its key contains the old version.
    const isCurrent = versions.every(({ id, version }) =>
      rows.some((row) => row.id === id && row.xmin === version),
    );
    if (!isCurrent) this.sets.delete(key);
    const engine = new GuardrailEngine([...own, ...rows], language, this.pool);
    return new CountedGuardrails(engine, rulesByDirection(rows), this.tally);
  }

  /**
   * Returns id and version of the rules that are bound to the connection, by its id or by a shared attribute.
   * The query has a branch for each of the two, so that each branch uses its own index. Attributes are read
   * from the connection's current row, so that open sessions follow changes. If the connection was deleted,
   * the attributes of `target` apply. Attributes are compared by their visible form (`visible_names`), so
   * that a look-alike does not escape its rules.
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
