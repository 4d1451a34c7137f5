import { Logger } from '@nestjs/common';
import type { Session } from '../../../gate/session';
import type {
  InputRequest,
  McpUpstream,
  UpstreamAnswer,
  UpstreamRequest,
} from '../../../targets/mcp/upstream';
import type { VisitTarget } from '../lists/current-targets';
import type { MessageDelivery } from '../delivery/delivery';
import { inputNotAllowed } from '../http/missing-capabilities';
import { GATEWAY_ERRORS, errorAnswer } from '../http/refusals';
import type { RequestingClient } from '../client/requesting-client';
import { type UnfinishedRequest, UnfinishedRequests } from '../states/unfinished-requests';

/** The server's request for input from the client. */
type InputAnswer = UpstreamAnswer & { readonly kind: 'input' };

export interface InputRequestParts {
  readonly session: Session;
  readonly target: VisitTarget;
  readonly upstream: McpUpstream;
  /** Aborts when the client's MCP session at the connection ends. */
  readonly over: AbortSignal;
}

/** Handles requests of the MCP server for input, and the client's requests that wait for this input. */
export class InputRequests {
  private readonly log = new Logger(InputRequests.name);
  private readonly unfinished: UnfinishedRequests;

  constructor(
    private readonly parts: InputRequestParts,
    private readonly delivery: MessageDelivery,
  ) {
    this.unfinished = new UnfinishedRequests((unfinished, why) => this.giveUp(unfinished, why), parts.over);
  }

  /**
   * Delivers the server's request for input. Ends the client's request if the policy does not allow the input
   * or the client cannot give it.
   */
  async deliver(
    serial: number,
    request: UpstreamRequest,
    answer: InputAnswer,
    client: RequestingClient,
  ): Promise<UpstreamAnswer> {
    const refusal = inputNotAllowed(this.parts.target.now, answer) ?? client.unable(answer);
    if (refusal !== undefined) {
      await this.cancel(request, answer.state);
      await this.delivery.refused(refusal.message);
      return { kind: 'error', error: refusal };
    }
    // Without a prototype, because the server chooses the keys, and a key may be `__proto__`.
    const requests: Record<string, InputRequest> = Object.create(null) as Record<string, InputRequest>;
    for (const [key, { method, params = {} }] of Object.entries(answer.requests)) {
      const delivered = await this.delivery.message(serial, 'params', params, { method, input: key });
      if (delivered.kind === 'blocked') {
        await this.cancel(request, answer.state);
        return errorAnswer(GATEWAY_ERRORS.refused, delivered.message);
      }
      requests[key] = { method, params: delivered.value };
    }
    return { ...answer, requests };
  }

  /** Stores a request that waits for the client's input, under the number of the last message about it. */
  suspend(serial: number, unfinished: UnfinishedRequest): void {
    this.unfinished.add(serial, unfinished);
  }

  /** Returns and removes the waiting request that a message continues. Only one message can continue it. */
  resume(serial: number): UnfinishedRequest | undefined {
    return this.unfinished.take(serial);
  }

  /** Ends a request whose client gives no input; see `ServedVisit`. */
  async abandon(serial: number, why: string): Promise<void> {
    const unfinished = this.unfinished.take(serial);
    if (unfinished !== undefined) await this.giveUp(unfinished, why);
  }

  /** Cancels a request that waits at a legacy server for input that nobody will give. Never rejects. */
  async cancel(request: UpstreamRequest, state: string | undefined): Promise<void> {
    const continuation = { state, responses: {} };
    const on = { signal: AbortSignal.abort(), notify: () => undefined };
    await this.parts.upstream.exchange({ ...request, continuation }, on).catch(() => undefined);
  }

  /**
   * Ends a request that no client continues: cancels it at the server, records the reason, and notes on its
   * review that the approved call is over. Never rejects.
   */
  private async giveUp({ request, state, over }: UnfinishedRequest, why: string): Promise<void> {
    try {
      await this.cancel(request, state);
      await this.delivery.refused(why);
      await over?.();
    } catch (error) {
      this.log.warn({ err: error, session: this.parts.session.id }, 'A request without input did not end');
    }
  }
}
