import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import type { Direction, GuardrailSet, JudgedAs, JudgedFor, OutputScreen } from '../../gate/ports/guardrails';
import { AppError } from '../../kernel/app-error';
import { TimeSlice } from '../../kernel/async/time-slice';
import { AnalysisPool } from '../analysis/analysis-pool';
import { EntryFault, compileRule } from '../entries/compile-entry';
import { type EntryFindings, GuardrailEngine } from '../engine/guardrail-engine';
import { warningsOn } from '../entries/entries-without-effect';
import type { GuardrailBody } from './guardrail.dto';
import { GuardrailRule } from './guardrail.entity';
import { KEEPS_ROLE } from '../entries/role-rule';
import { guardrailDefinition } from './rule-definition';
import type { ACTIONS } from '../kinds/contract/common-fields';
import type { RuleDefinition } from '../entries/rule-entry';
import { FILES_CHANNEL } from '../../languages/file-operation';
import type { Language } from '../../languages/language';
import { languageNamed, languages } from '../../languages/languages';
import { postgresql } from '../../languages/postgresql';
import { targetKind } from '../../targets/kinds';

/** Names of the languages that people write by hand: those with statements or commands of their own. */
export const WRITTEN_LANGUAGES: readonly string[] = languages
  .filter((language) => language.parse !== undefined)
  .map(({ name }) => name);
/** The language of a text that comes without one. */
export const USUAL_LANGUAGE = postgresql.name;

/** A finding of a rule. `entry` is the index of the entry in the rule set of the direction. */
export interface InspectedHit {
  /** The message that the user would get. */
  readonly message: string;
  readonly rule_name: string;
  readonly entry: number;
  readonly start: number;
  readonly end: number;
  readonly matched: string;
  readonly action: (typeof ACTIONS)[number];
}

/** Recorded events of a session on a connection with this subtype. */
export interface Recorded {
  readonly connectionSubtype: string;
  readonly channel: string | undefined;
  readonly events: AsyncIterable<{
    readonly type: string;
    /** Whether the text is a value of an input, such as a bound parameter. */
    readonly values?: true | undefined;
    readonly text: string;
  }>;
}

export interface Inspector {
  /**
   * Returns everything that the rules find in a text. The text is judged as an input in the language of
   * `which`, or as a complete output.
   */
  inspect(text: string): Promise<InspectedHit[]>;
  /** Whether the rules would have blocked the recorded events; false if an owner's signal ended the check. */
  blocks(recorded: Recorded): Promise<boolean>;
}

/** A rule that applies to a connection, with its origin. */
export interface AppliedRule {
  readonly id: string;
  readonly name: string;
  readonly origin: { readonly by: 'id' | 'attribute'; readonly value: string };
  /** Reason why the rule cannot be applied, so that everything is refused; null when it can be applied. */
  readonly fault: string | null;
  /** Parts of the rule that have no effect on this connection. */
  readonly warnings: readonly string[];
}

/** The properties of a connection that decide which rules apply, and how. */
export interface RuledConnection {
  readonly orgId: string;
  readonly id: string;
  readonly attributes: readonly string[];
  /** Name of the language of the connection's inputs. */
  readonly language: string;
}

/** Exported service: tests what rules would do with a text or a recording. */
@Injectable()
export class RuleInspector {
  constructor(
    @InjectRepository(GuardrailRule) private readonly rules: Repository<GuardrailRule>,
    private readonly pool: AnalysisPool,
  ) {}

  /**
   * Creates an inspector of some rules.
   * @param which the rules: stored rules by id, a rule that is not stored (`rule`), and with `keepsRole` the
   * built-in rule `KEEPS_ROLE`; and the language of texts, which is PostgreSQL's by default
   * @param owner the user for whom the texts are judged
   * @throws AppError `unprocessable` for a rule that cannot be compiled or an id that does not exist
   */
  async inspector(
    orgId: string,
    which: { rule?: GuardrailBody; ids: string[]; keepsRole?: boolean; language?: string },
    direction: Direction,
    owner: JudgedFor,
  ): Promise<Inspector> {
    const stored = which.ids.length === 0 ? [] : await this.rules.findBy({ orgId, id: In(which.ids) });
    const missing = which.ids.find((id) => !stored.some((rule) => rule.id === id));
    if (missing !== undefined)
      throw new AppError('unprocessable', `rule_ids names ${missing}, which does not exist`);
    const drafts = which.rule === undefined ? [] : [{ id: '', ...guardrailDefinition(which.rule) }];
    const rules = [...(which.keepsRole === true ? [KEEPS_ROLE] : []), ...drafts, ...stored];
    const broken = rules.map(faultOf).find((fault) => fault !== null);
    if (broken !== undefined) throw new AppError('unprocessable', broken);
    const engines = new Map<Language, GuardrailEngine>();
    const engineOf = (language: Language): GuardrailEngine => {
      const engine = engines.get(language) ?? new GuardrailEngine(rules, language, this.pool);
      engines.set(language, engine);
      return engine;
    };
    const asWritten = engineOf(which.language === undefined ? postgresql : languageNamed(which.language));
    return {
      inspect: async (text) =>
        (direction === 'input'
          ? await asWritten.inspect(text, [], undefined, owner)
          : await asWritten.inspectOutput(text, owner)
        ).flatMap(hits),
      blocks: ({ connectionSubtype, channel, events }) => {
        const engine = engineOf(languageNamed(targetKind(connectionSubtype)?.language ?? ''));
        return direction === 'output'
          ? blocksOutput(engine, events, owner)
          : blocksInput(engine, { channel, events }, owner);
      },
    };
  }

  /**
   * Returns the rules that apply to a connection. A rule bound by id and by attribute has the origin `id`.
   */
  async appliedTo(
    { orgId, id: connectionId, attributes, language }: RuledConnection,
    db: EntityManager = this.rules.manager,
  ): Promise<AppliedRule[]> {
    const inputs = languageNamed(language);
    const rows = await db.query<(RuleDefinition & { by_id: boolean; attribute: string | null })[]>(
      `SELECT rule.id, rule.name, rule.input, rule.output, binding.rule_id IS NOT NULL AS by_id,
              (SELECT min(a) FROM unnest(rule.attributes) AS a
               WHERE visible_names(ARRAY[a]) && visible_names($3::text[])) AS attribute
       FROM guardrail_rules AS rule
       LEFT JOIN guardrail_connections AS binding
         ON binding.org_id = $1 AND binding.rule_id = rule.id AND binding.connection_id = $2
       WHERE rule.org_id = $1 AND (binding.rule_id IS NOT NULL OR visible_names(rule.attributes) && visible_names($3::text[]))
       ORDER BY rule.name`,
      [orgId, connectionId, attributes],
    );
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      origin: row.by_id ? { by: 'id', value: connectionId } : { by: 'attribute', value: row.attribute ?? '' },
      fault: faultOf(row),
      warnings: warningsOn(row, inputs),
    }));
  }
}

function faultOf(rule: RuleDefinition): string | null {
  try {
    for (const direction of ['input', 'output'] as const) compileRule(rule, direction);
    return null;
  } catch (error) {
    if (error instanceof EntryFault) return `${rule.name}: ${error.message}`;
    throw error;
  }
}

function hits({ entry, findings }: EntryFindings): InspectedHit[] {
  const { ruleName, index, message } = entry.hit([]);
  return findings.map(({ start, end, text }) => ({
    message,
    rule_name: ruleName,
    entry: index,
    start,
    end,
    matched: text,
    action: entry.mask === undefined ? 'block' : 'mask',
  }));
}

async function blocksInput(
  set: GuardrailSet,
  { channel, events }: Pick<Recorded, 'channel' | 'events'>,
  owner: JudgedFor,
): Promise<boolean> {
  // Operations on files are judged by their words, like values, and by what they do.
  const roles: readonly JudgedAs[] = channel === FILES_CHANNEL ? ['value', 'alongside'] : ['input'];
  for await (const { values, text } of inSlices(events, owner))
    for (const as of values === true ? (['value'] as const) : roles)
      if ((await set.judge(text, as, [], undefined, owner)).kind === 'block') return true;
  return false;
}

async function blocksOutput(
  set: GuardrailSet,
  events: Recorded['events'],
  owner: JudgedFor,
): Promise<boolean> {
  const screens = new Map<string, OutputScreen>();
  for await (const { type, text } of inSlices(events, owner)) {
    const screen = screens.get(type) ?? set.openScreen(owner);
    screens.set(type, screen);
    if ((await screen.push(text)).kind === 'block') return true;
  }
  if (isGone(owner)) return false;
  for (const screen of screens.values()) if ((await screen.finish()).kind === 'block') return true;
  return false;
}

/** Lets the event loop turn, because otherwise many short texts would be judged in a single turn. */
async function* inSlices(events: Recorded['events'], owner: JudgedFor): Recorded['events'] {
  const slice = new TimeSlice();
  for await (const event of events) {
    if (slice.isOver) await slice.next();
    if (isGone(owner)) return;
    yield event;
  }
}

function isGone({ signals }: JudgedFor): boolean {
  return signals?.some(({ aborted }) => aborted) === true;
}
