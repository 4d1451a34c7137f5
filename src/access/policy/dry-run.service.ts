import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type InspectedHit, type Inspector, RuleInspector } from '../../guardrails/rules/rule-inspector';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { RecordedTexts } from '../../sessions/reading/recorded-texts';
import type { DryRunBody, DryRunView, ReplayView } from './policy.dto';

/** Reports what guardrail rules would find in a text and in recorded sessions. */
@Injectable()
export class DryRunService {
  constructor(
    private readonly rules: RuleInspector,
    private readonly recordings: RecordedTexts,
  ) {}

  /** @param gone aborts when the client disconnects */
  async run({ orgId, userId }: Principal, body: DryRunBody, gone: AbortSignal): Promise<DryRunView> {
    const ids = [...new Set(body.rule_ids)];
    if ((body.rule === undefined) === (ids.length === 0)) {
      throw new AppError('unprocessable', 'give either rule or rule_ids');
    }
    const inspector = await this.rules.inspector(
      orgId,
      { ids, language: body.language, ...(body.rule === undefined ? {} : { rule: body.rule }) },
      body.direction,
      { userId, connectionId: '', sessionId: randomUUID(), signals: [gone] },
    );
    const hits = await inspector.inspect(body.text);
    return {
      verdict: verdictOf(hits),
      hits,
      ...(body.sessions === undefined
        ? {}
        : { replay: await this.replay(orgId, { ...body, count: body.sessions }, inspector, gone) }),
    };
  }

  private async replay(
    orgId: string,
    { direction, count }: Pick<DryRunBody, 'direction'> & { readonly count: number },
    inspector: Inspector,
    gone: AbortSignal,
  ): Promise<ReplayView> {
    const blocked: string[] = [];
    let sessions = 0;
    for await (const recorded of this.recordings.last(orgId, count, direction, gone)) {
      sessions += 1;
      if (await inspector.blocks(recorded)) blocked.push(recorded.sessionId);
    }
    return { sessions, blocked: blocked.length, session_ids: blocked };
  }
}

function verdictOf(hits: readonly InspectedHit[]): DryRunView['verdict'] {
  if (hits.length === 0) return 'pass';
  return hits.some((hit) => hit.action === 'block') ? 'block' : 'mask';
}
