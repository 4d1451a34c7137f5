import type { Page, Request } from 'playwright-core';

/** An answer of the API to a page. */
export interface Answered {
  readonly request: string;
  readonly status: number;
}

/** Whether it is a stream of events, which has no end while something runs. */
export function isEventStream(request: Request): boolean {
  return (
    request.resourceType() === 'eventsource' ||
    /\/sessions\/[^/]+\/stream$/.test(new URL(request.url()).pathname)
  );
}

const STREAMED_WITHIN_MS = 3_000;

/** Walks through the portal in one page, as its links do, and hears what the page asks the API. */
export class Walker {
  private readonly open = new Set<Request>();
  private heard: Answered[] = [];
  private readonly bodies: Promise<string>[] = [];

  constructor(
    readonly page: Page,
    api: string,
  ) {
    page.on('request', (request) => {
      const isAsked = request.url().startsWith(api) && request.resourceType() !== 'eventsource';
      // Screens are scripts that are loaded when they are wanted first.
      if (isAsked || request.resourceType() === 'script') this.open.add(request);
    });
    page.on('requestfailed', (request) => this.open.delete(request));
    page.on('response', (response) => {
      const request = response.request();
      if (!request.url().startsWith(api)) return;
      // What was recorded so far has come by then; the stream of a session that still runs does not end.
      if (isEventStream(request)) setTimeout(() => this.open.delete(request), STREAMED_WITHIN_MS).unref();
      this.heard.push({
        request: `${request.method()} ${request.url().slice(api.length)}`,
        status: response.status(),
      });
      if (!isEventStream(request)) this.bodies.push(response.text().catch(() => ''));
    });
    page.on('requestfinished', (request) => this.open.delete(request));
  }

  /** What was answered since the last time. */
  answers(): Answered[] {
    const { heard } = this;
    this.heard = [];
    return heard;
  }

  /** The bodies of all answers. */
  async said(): Promise<string> {
    return (await Promise.all(this.bodies)).join('\n');
  }

  /** Goes to a path as a link of the portal does, and waits until all is there. */
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

  /** Until nothing is asked and nothing is loading. */
  async settled(): Promise<void> {
    const loading = this.page.getByRole('main').getByText('Loading …', { exact: true });
    const limit = Date.now() + 20_000;
    for (let quiet = 0; quiet < 3;) {
      if (Date.now() > limit) throw new Error(`${this.page.url()} is still loading`);
      await this.page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 15)))');
      quiet = this.open.size === 0 && (await loading.count()) === 0 ? quiet + 1 : 0;
    }
  }
}
