import type { Page, Request } from 'playwright-core';

/** An answer of the API to a page. */
export interface Answered {
  readonly request: string;
  readonly status: number;
}

/** Whether the request opens an event stream, which does not end while a session runs. */
export function isEventStream(request: Request): boolean {
  return (
    request.resourceType() === 'eventsource' ||
    /\/(sessions\/[^/]+|reviews)\/stream$/.test(new URL(request.url()).pathname)
  );
}

const STREAMED_WITHIN_MS = 3_000;

/**
 * JavaScript that waits for three frames of the page. Returns whether one of them showed a loading sign: a
 * text, or a button whose change is sent. The browser may report the end of a request before the page has
 * read its answer.
 */
const WAS_LOADING = `(async () => {
  let was = false;
  for (let frame = 0; frame < 3; frame++) {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 15)));
    was ||= document.querySelector('button[data-loading]') !== null || [...document.querySelectorAll('main *')].some(
      ({ childElementCount, textContent, ariaBusy }) =>
        ariaBusy === 'true' || (childElementCount === 0 && textContent === 'Loading …'),
    );
  }
  return was;
})()`;

/** Goes through the portal within one page, as its links do, and records the page's API requests. */
export class Walker {
  private readonly open = new Set<Request>();
  /** Number of API requests of the page so far. */
  private asked = 0;
  private heard: Answered[] = [];
  private readonly bodies: Promise<string>[] = [];

  constructor(
    readonly page: Page,
    api: string,
  ) {
    page.on('request', (request) => {
      // The content that a page first shows does not depend on streams that report later changes.
      const isHeld = request.resourceType() === 'eventsource' || request.url() === `${api}/reviews/stream`;
      const isAsked = request.url().startsWith(api) && !isHeld;
      // Waits for scripts too, because the script of a screen is loaded when the screen is first opened.
      if (!isAsked && request.resourceType() !== 'script') return;
      this.open.add(request);
      this.asked++;
    });
    page.on('requestfailed', (request) => this.open.delete(request));
    page.on('response', (response) => {
      const request = response.request();
      if (!request.url().startsWith(api)) return;
      // Waits for the stream of a session only for a while, because it does not end while the session runs.
      // The recording so far arrives within that time.
      if (isEventStream(request)) {
        const shown = setTimeout(() => this.open.delete(request), STREAMED_WITHIN_MS).unref();
        page.once('close', () => clearTimeout(shown));
      }
      this.heard.push({
        request: `${request.method()} ${request.url().slice(api.length)}`,
        status: response.status(),
      });
      if (!isEventStream(request)) this.bodies.push(response.text().catch(() => ''));
    });
    page.on('requestfinished', (request) => this.open.delete(request));
  }

  /** Answers since the last call. */
  answers(): Answered[] {
    const { heard } = this;
    this.heard = [];
    return heard;
  }

  /** The bodies of all answers. */
  async said(): Promise<string> {
    return (await Promise.all(this.bodies)).join('\n');
  }

  /** Goes to a path as a link of the portal does, and waits until the screen is complete. */
  async go(path: string): Promise<void> {
    await this.show(path);
    await this.settled();
  }

  /** Goes to a path as a link of the portal does. */
  async show(path: string): Promise<void> {
    await this.page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
  }

  /** Resolves when no request is open and nothing is loading, for three frames. */
  settled(): Promise<void> {
    return this.quiet((wasLoading) => !wasLoading && this.open.size === 0);
  }

  /**
   * Resolves when all requests are answered or failed, for three frames. A screen that sends requests again
   * later may still be loading.
   */
  answered(): Promise<void> {
    return this.quiet(() => this.open.size === 0);
  }

  /**
   * Resolves when a screen is shown, even if it gets no answers: its script has loaded, and no new request
   * begins for three frames.
   */
  shown(): Promise<void> {
    return this.quiet(() => [...this.open].every((request) => request.resourceType() !== 'script'));
  }

  private async quiet(isQuiet: (wasLoading: boolean) => boolean): Promise<void> {
    const limit = Date.now() + 20_000;
    for (;;) {
      const { asked } = this;
      const wasLoading = await this.page.evaluate<boolean>(WAS_LOADING);
      if (this.asked === asked && isQuiet(wasLoading)) return;
      if (Date.now() > limit) throw new Error(`${this.page.url()} is still loading`);
    }
  }
}
