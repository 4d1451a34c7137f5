import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Settings } from '../config/settings';
import { UNIQUE_VIOLATION, brokenConstraint } from '../database/constraint';
import { AppError } from '../kernel/app-error';
import { compileRule } from './compiled-rules';
import { GuardrailBindings } from './guardrail-bindings';
import {
  type GuardrailBody,
  type GuardrailView,
  type RuleEntryBody,
  type RuleSetBody,
  guardrailView,
} from './guardrail.dto';
import { GuardrailConnection, GuardrailRule } from './guardrail.entity';
import type { RuleEntry, RuleSet } from './rule-entry';

const MAX_RULE_BYTES = 64 * 1024;

@Injectable()
export class GuardrailsService {
  constructor(
    @InjectRepository(GuardrailRule) private readonly rules: Repository<GuardrailRule>,
    private readonly bindings: GuardrailBindings,
    private readonly settings: Settings,
  ) {}

  async create(orgId: string, body: GuardrailBody): Promise<GuardrailView> {
    const rule = this.rules.create({
      orgId,
      managedBy: null,
      sidecarSpec: null,
      sidecarTargets: [],
      ...definition(body),
    });
    const connectionIds = [...new Set(body.connection_ids)];
    try {
      await this.rules.manager.transaction(async (db) => {
        await db.save(rule);
        await this.bindings.bindRule(db, orgId, rule.id, connectionIds);
      });
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'guardrail_rules_name_unique') throw error;
      throw new AppError('conflict', `a guard rail named ${body.name} exists already`);
    }
    return guardrailView(rule, connectionIds, this.settings.CONTROL_PLANE);
  }

  async get(orgId: string, id: string): Promise<GuardrailView> {
    const rule = await this.rules.findOneBy({ orgId, id });
    if (rule === null) throw new AppError('not_found', 'there is no guard rail with this id');
    const bound = await this.rules.manager.findBy(GuardrailConnection, { orgId, ruleId: id });
    const connectionIds = bound.map((binding) => binding.connectionId).sort();
    return guardrailView(rule, connectionIds, this.settings.CONTROL_PLANE);
  }
}

/** What a body says of a rule, checked by compiling it. */
function definition(body: GuardrailBody) {
  const rule = {
    name: body.name,
    description: body.description ?? '',
    attributes: [...new Set(body.attributes)],
    input: ruleSet(body.input),
    output: ruleSet(body.output),
  };
  if (Buffer.byteLength(JSON.stringify([rule.input, rule.output])) > MAX_RULE_BYTES) {
    throw new AppError('unprocessable', 'the rules are larger than 64 KiB');
  }
  try {
    compileRule({ id: '', ...rule });
  } catch (error) {
    throw new AppError('unprocessable', (error as Error).message);
  }
  return rule;
}

function ruleSet(body: RuleSetBody | undefined): RuleSet {
  return { rules: (body?.rules ?? []).map(ruleEntry) };
}

/** As it is stored: the two lists are always there, name and message only when given. */
function ruleEntry({ type, words, pattern_regex, name, message }: RuleEntryBody): RuleEntry {
  return {
    type,
    words: words ?? [],
    pattern_regex: pattern_regex ?? '',
    // Generated clients send null for what is absent.
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}
