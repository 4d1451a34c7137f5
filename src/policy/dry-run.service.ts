import { Injectable } from '@nestjs/common';
import { type Inspector, RuleInspector } from '../guardrails/rule-inspector';
import { AppError } from '../kernel/app-error';
import { RecordedTexts } from '../sessions/recorded-texts';
import type { DryRunBody, DryRunView, ReplayView } from './policy.dto';

/** What rules would find: in a text, and in what was recorded. */
@Injectable()
export class DryRunService {
  constructor(
    private readonly rules: RuleInspector,
    private readonly recordings: RecordedTexts,
  ) {}

  async run(orgId: string, body: DryRunBody): Promise<DryRunView> {
    const ids = [...new Set(body.rule_ids)];
    if ((body.rule === undefined) === (ids.length === 0)) {
      throw new AppError('unprocessable', 'give either rule or rule_ids');
    }
    const inspect = await this.rules.inspector(
      orgId,
      { ids, ...(body.rule === undefined ? {} : { rule: body.rule }) },
      body.direction,
    );
    const hits = inspect(body.text);
    return {
      verdict: hits.length > 0 ? 'block' : 'pass',
      hits,
      ...(body.sessions === undefined
        ? {}
        : { replay: await this.replay(orgId, body, inspect, body.sessions) }),
    };
  }

  private async replay(
    orgId: string,
    body: DryRunBody,
    inspect: Inspector,
    count: number,
  ): Promise<ReplayView> {
    const blocked: string[] = [];
    let sessions = 0;
    for await (const { sessionId, texts } of this.recordings.last(orgId, count, body.direction)) {
      sessions += 1;
      for await (const text of texts) {
        if (inspect(text).length === 0) continue;
        blocked.push(sessionId);
        break;
      }
    }
    return { sessions, blocked: blocked.length, session_ids: blocked };
  }
}
