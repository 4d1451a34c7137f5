import type { CallAdmission } from '../../../gate/approval';
import type { Session } from '../../../gate/session';
import { writeJson } from '../../../kernel/json/json';
import type { RequestingClient } from '../client/requesting-client';
import { type UrlElicitation, modernElicitation } from '../client/url-elicitation';

/** Services and state for holding a call. */
export interface HeldCallParts {
  readonly session: Session;
  /** Maximum time for which an answer is held while people decide. */
  readonly holdMs: number;
  /** Aborts when the gateway stops: held calls are answered then, and their reviews stay. */
  readonly stopping: AbortSignal;
  /** Address of the page on which people decide. */
  reviewPage(reviewId: string): string;
}

/** A call that needs an approval, before its client is answered. */
export type ReviewedAdmission =
  | CallAdmission
  | { readonly kind: 'page'; readonly reviewId: string; readonly elicitation: UrlElicitation };

/** Lets calls wait for people. Their clients hear of the review's page as they can. */
export class HeldCalls {
  constructor(private readonly parts: HeldCallParts) {}

  /**
   * Waits for the decision, as long as the client does and the gateway may. A client that is asked by answers
   * is asked first, once for each review: it comes back, and waits then.
   * @param decided admits the call again, now that people have decided. It may be pending again.
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

  /** Requests of the gateway itself to the client are recorded, like everything that the client receives. */
  private async record(serial: number, elicitation: UrlElicitation): Promise<void> {
    const content = `${writeJson({ id: serial, ...modernElicitation(elicitation) })}\n`;
    await this.parts.session.recordOutput({ type: 'o', content });
  }
}
