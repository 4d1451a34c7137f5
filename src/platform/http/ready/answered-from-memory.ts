import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { ACCESS, type AuthenticatedRequest, type Policy } from '../routes/access';
import type { AnswerTerms } from './ready-answers';

const TABLES = 'tables of a ready answer';

/**
 * Keeps the answer of a GET route in memory and sends it again until a row of the given tables changes. The
 * answer must be the same for all permitted callers of an organization, and depend on these tables only.
 * @param tables names of tables; a trigger (`tell_gateways`) must report every change of each, also TRUNCATE
 */
export function AnsweredFromMemory(...tables: readonly string[]): MethodDecorator {
  return SetMetadata(TABLES, tables);
}

/** Returns the tables that a handler's answers depend on; undefined if its answers are not kept. */
export function tablesOfAnswer(handler: Function): readonly string[] | undefined {
  return new Reflector().get<readonly string[] | undefined>(TABLES, handler);
}

/** A request whose answer may be kept. */
export interface KeptRequest extends Request {
  answerTerms?: AnswerTerms;
}

/** Marks requests whose answers may be kept in memory. Runs after the guards, so the caller is permitted. */
@Injectable()
export class AnswerTermsInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const handler = context.getHandler();
    const tables = tablesOfAnswer(handler);
    const policy = this.reflector.get<Policy | 'public' | undefined>(ACCESS, handler);
    if (tables !== undefined && policy !== undefined && policy !== 'public') {
      const request = context.switchToHttp().getRequest<KeptRequest & AuthenticatedRequest>();
      request.answerTerms = { orgId: request.principal.orgId, policy, tables };
    }
    return next.handle();
  }
}
