import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type ParsedSql,
  type StatementFacts,
  StatementReader,
} from '../../guardrails/engine/statement-reader';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { ReviewRequests } from '../../approvals/reviews/requests/review-requests';
import { VisibleSessions } from '../../sessions/list/visible-sessions';
import type {
  ReviewContextView,
  ReviewedScriptView,
  ReviewedSessionView,
  ReviewedStatementView,
} from './review-context.dto';

const MOST_STATEMENTS = 100;

/** Collects facts that help to decide a review. Each part is read with the rights of the caller. */
@Injectable()
export class ReviewContextService {
  constructor(
    private readonly requests: ReviewRequests,
    private readonly sessions: VisibleSessions,
    private readonly statements: StatementReader,
  ) {}

  /**
   * @param gone aborts when the client disconnects
   * @throws AppError `not_found`, also to people who may not see the review
   */
  async of(actor: Principal, id: string, gone: AbortSignal): Promise<ReviewContextView> {
    const { request, subtype, earlier, sessionIds } = await this.requests.past(actor, id);
    const [script, sessions] = await Promise.all([
      this.script(actor, request.session_id, subtype, gone),
      Promise.all(sessionIds.map((sessionId) => this.session(actor, sessionId))),
    ]);
    return { script, earlier, sessions: sessions.flatMap((session) => session ?? []) };
  }

  private async script(
    actor: Principal,
    sessionId: string | null,
    subtype: string,
    gone: AbortSignal,
  ): Promise<ReviewedScriptView | null> {
    if (sessionId === null) return null;
    const session = await this.find(actor, sessionId);
    if (typeof session?.script !== 'string') return null;
    const owner = { userId: actor.userId, connectionId: '', sessionId: randomUUID(), signals: [gone] };
    const parsed = await this.statements.read(subtype, session.script, owner);
    return parsed === undefined ? null : scriptView(parsed);
  }

  private async session(actor: Principal, id: string): Promise<ReviewedSessionView | undefined> {
    const session = await this.find(actor, id);
    if (session === undefined) return undefined;
    const { userEmail: user, verb, status, startDate: start_date, endDate: end_date } = session;
    return { id, user, verb, status, start_date, end_date };
  }

  /** Returns undefined when the session was removed, or the caller may not see it. */
  private async find(actor: Principal, id: string) {
    try {
      return (await this.sessions.find(actor, id)).session;
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return undefined;
      throw error;
    }
  }
}

function scriptView(parsed: ParsedSql): ReviewedScriptView {
  if (parsed.kind === 'unparseable') return { total: 0, statements: [], fault: parsed.reason };
  const { statements } = parsed;
  return {
    total: statements.length,
    statements: statements.slice(0, MOST_STATEMENTS).map(statementView),
    fault: null,
  };
}

function statementView(facts: StatementFacts): ReviewedStatementView {
  const { start, end, kinds, withoutWhere, tables, hidden } = facts;
  return {
    start,
    end,
    kinds: [...kinds],
    without_where: withoutWhere,
    tables: tables.map(({ schema, name, write }) => ({ schema: schema ?? null, name, is_written: write })),
    hidden: [...hidden],
  };
}
