import type { CallAdmission } from '../../../gate/approval';
import type { Session } from '../../../gate/session';
import { writeJson } from '../../../kernel/json/json';
import type { RequestingClient } from '../client/requesting-client';
import { type UrlElicitation, modernElicitation } from '../client/url-elicitation';

/** Services and state for holding a call until people have decided its review. */
export interface HeldCallParts {
  readonly session: Session;
  /** Maximum time in milliseconds for which an answer is held while people decide. */
  readonly holdMs: number;
  /** Aborts when the gateway stops. Held calls are then answered, and their reviews stay open. */
  readonly stopping: AbortSignal;
  /** Returns the address of the page on which people decide. */
  reviewPage(reviewId: string): string;
}

/** Admission of a call that needs an approval, or the review page that its client must open first. */
export type ReviewedAdmission =
  | CallAdmission
  | { readonly kind: 'page'; readonly reviewId: string; readonly elicitation: UrlElicitation };

/** Holds calls until people have decided. Clients that can open pages get the page of the review. */
export class HeldCalls {
  constructor(private readonly parts: HeldCallParts) {}

  /**
   * Waits for the decision until the client leaves or the maximum hold time is over. For a client that gets
   * pages in answers, returns the page first, once for each review. The client then repeats its request, and
   * the repeated request waits.
   * @param decided admits the call again after people have decided; the call may be pending again
   */
  async wait(
    serial: number,
    reviewId: string,
    client: RequestingClient,
    decided: () => Promise<CallAdmission>,
  ): Promise<ReviewedAdmission> {
    const { holdMs, session } = this.parts;
    const pending = { kind: 'pending', reviewId } as const;
    const { pages, opened } = client;
    const elicitation = this.elicitation(reviewId);
    if (pages?.kind === 'by answer' && opened?.id !== reviewId) {
      await this.record(serial, elicitation);
      return { kind: 'page', reviewId, elicitation };
    }
    if (holdMs === 0 || opened?.isAgreed === false) return pending;
    client.holding(reviewId);
    const [declined, settled] = [new AbortController(), new AbortController()];
    if (pages?.kind === 'on stream') {
      await this.record(serial, elicitation);
      const asked = pages.ask(elicitation, settled.signal);
      void asked.then((isAgreed) => (isAgreed === false ? declined.abort() : undefined));
    }
    const signal = AbortSignal.any([
      client.signal,
      this.parts.stopping,
      AbortSignal.timeout(holdMs),
      declined.signal,
    ]);
    let admission: CallAdmission = pending;
    try {
      while (admission.kind === 'pending' && (await session.callDecided(admission.reviewId, signal)))
        admission = await decided();
    } finally {
      settled.abort();
    }
    if (pages?.kind === 'on stream' && admission.kind !== 'pending') await pages.complete(elicitation);
    return admission;
  }

  private elicitation(reviewId: string): UrlElicitation {
    return {
      id: reviewId,
      url: this.parts.reviewPage(reviewId),
      message: 'This call waits for an approval. The page shows it, and who may decide does so there.',
    };
  }

  /** Records the gateway's own request to the client, because all that the client receives is recorded. */
  private async record(serial: number, elicitation: UrlElicitation): Promise<void> {
    const content = `${writeJson({ id: serial, ...modernElicitation(elicitation) })}\n`;
    await this.parts.session.recordOutput({ type: 'o', content });
  }
}
