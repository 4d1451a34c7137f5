import { Logger } from '@nestjs/common';
import { passingFault } from '../../../platform/database/faults/passing-fault';
import { SignInNeeded } from '../../../gate/ports/upstream-credentials';
import type { NoSignInAddress, SignInAddress } from '../../../gate/ports/upstream-sign-ins';
import { FAULT_MESSAGE } from '../../../gate/refusal';
import type { Session } from '../../../gate/session';
import { AppError } from '../../../kernel/app-error';
import { demandedScope } from '../../../targets/mcp/protocol/bearer-challenge';
import { INPUT_METHODS } from '../../../targets/mcp/protocol/methods';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import {
  RUN_UNKNOWN,
  type UpstreamAnswer,
  UpstreamFault,
  type UpstreamRequest,
  behindFault,
} from '../../../targets/mcp/upstream';
import type { ClientAnswer } from '../client/client-answer';
import type { MessageDelivery } from '../delivery/delivery';
import type { Course } from './course';
import { GATEWAY_ERRORS, errorAnswer, toolError } from '../http/refusals';
import type { RequestingClient } from '../client/requesting-client';
import { modernElicitation } from '../client/url-elicitation';

const OUTCOMES: Readonly<Record<NonNullable<Course['run']>, string>> = {
  unknown: RUN_UNKNOWN,
  ran: 'The request ran, and its answer was not delivered.',
};

/** Services and state for answering a failed request. */
export interface FailedRequestParts {
  readonly session: Session;
  /** Ends the client's MCP session, because its connection was deleted or its principal lost access. */
  withdrawn(why: string): void;
  /** Reports that the server could not be reached. */
  unreachable(): void;
  /** Returns the address where the principal connects an account; see `UpstreamSignIns.addressFor`. */
  signIn(scope: string | undefined): Promise<SignInAddress | NoSignInAddress | undefined>;
}

/** Answers failed requests with a message, or with the page where a person connects an account. */
export class FailedRequests {
  private readonly log = new Logger(FailedRequests.name);

  constructor(
    private readonly parts: FailedRequestParts,
    private readonly delivery: MessageDelivery,
  ) {}

  /**
   * Answers a failed request. Never rejects.
   * @param run whether the server ran the request. If it did or may have, the answer has a sentence about it,
   * because a client that repeats the request may run it twice.
   */
  async answer(
    serial: number,
    request: UpstreamRequest,
    client: RequestingClient,
    fault: unknown,
    run: Course['run'],
  ): Promise<ClientAnswer> {
    const error = behindFault(fault);
    const { session } = this.parts;
    const worded = (message: string): string =>
      run === undefined ? message : `${sentence(message)} ${OUTCOMES[run]}`;
    if (session.ended.aborted)
      return errorAnswer(GATEWAY_ERRORS.refused, worded((session.ended.reason as Error).message));
    if (error instanceof AppError && error.code === 'not_found') {
      this.parts.withdrawn(error.message);
      return errorAnswer(GATEWAY_ERRORS.notFound, worded(error.message));
    }
    if (!(error instanceof UpstreamFault)) return this.unexpected(error, client, worded);
    if (error.reason === 'unreachable') this.parts.unreachable();
    try {
      const page = await this.signIn(error);
      if (page?.kind === 'address') return await this.askedToSignIn(serial, request, client, page);
      return await this.refused(request, worded(page?.message ?? error.what), page !== undefined);
    } catch (unexpected) {
      return this.unexpected(unexpected, client, worded);
    }
  }

  /** Returns the sign-in address if the fault is a missing account or scope; undefined for other faults. */
  private async signIn(fault: UpstreamFault): Promise<SignInAddress | NoSignInAddress | undefined> {
    const scope = demandedScope(fault.challenge);
    return fault.cause instanceof SignInNeeded || scope !== undefined ? this.parts.signIn(scope) : undefined;
  }

  /**
   * Asks the client to open the sign-in address, if the client can open addresses. Otherwise the client gets
   * the address in an error message, also if the page was opened before and the account is still missing.
   */
  private async askedToSignIn(
    serial: number,
    request: UpstreamRequest,
    { pages, opened }: RequestingClient,
    { id, url }: SignInAddress,
  ): Promise<ClientAnswer> {
    const message = `Connect your account at the server of ${this.parts.session.target.name} in the browser.`;
    const isAsked =
      pages?.kind === 'on stream' ||
      (pages?.kind === 'by answer' && INPUT_METHODS.includes(request.method) && opened?.id !== id);
    if (!isAsked) return this.refused(request, `${message} The address is ${url}`, true);
    const elicitation = { id, url, message };
    const content = `${JSON.stringify({ id: serial, ...modernElicitation(elicitation) })}\n`;
    await this.parts.session.recordOutput({ type: 'o', content });
    return { kind: 'page', elicitation };
  }

  /** @param isForModel whether the message helps the model that called the tool, and not only the client */
  private async refused(
    { method }: UpstreamRequest,
    words: string,
    isForModel: boolean,
  ): Promise<UpstreamAnswer> {
    await this.delivery.refused(words).catch(() => undefined);
    return isForModel && method === 'tools/call'
      ? toolError(words)
      : errorAnswer(GATEWAY_ERRORS.upstream, words);
  }

  private unexpected(
    error: unknown,
    { arrival }: RequestingClient,
    worded: (message: string) => string,
  ): UpstreamAnswer {
    const circumstances = { err: error, session: this.parts.session.id, req: { id: arrival.requestId } };
    const passing = passingFault(error);
    if (passing !== undefined) {
      this.log.warn(circumstances, passing.message);
      return errorAnswer(GATEWAY_ERRORS.unavailable, worded(passing.message));
    }
    this.log.error(circumstances, 'A request of an MCP client could not be answered');
    return errorAnswer(RPC_ERRORS.internalError, worded(FAULT_MESSAGE));
  }
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
