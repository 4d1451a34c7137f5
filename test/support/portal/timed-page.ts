import type { Page, Request } from 'playwright-core';
import { eventually } from '../eventually';
import { isEventStream } from './walker';

/** A page step: shorter than any pause of the portal. */
const STEP_MS = 250;

/** A page of the portal whose clock stands still until a test moves it on; it hears what the page asks the API meanwhile. */
export class TimedPage {
  private readonly waiting = new Set<Request>();
  private readonly streams = new Set<Request>();
  private asked: string[] = [];

  /** @param page that no address was opened in yet */
  static async of(page: Page, api: string): Promise<TimedPage> {
    await page.clock.install();
    return new TimedPage(page, api);
  }

  private constructor(
    readonly page: Page,
    api: string,
  ) {
    const over = (request: Request): void => {
      this.waiting.delete(request);
      this.streams.delete(request);
    };
    page.on('request', (request) => {
      if (!request.url().startsWith(api)) return;
      this.waiting.add(request);
      this.asked.push(new URL(request.url()).pathname.slice(new URL(api).pathname.length));
    });
    page.on('response', (response) => {
      const request = response.request();
      if (!isEventStream(request) || !response.ok()) return;
      this.waiting.delete(request);
      this.streams.add(request);
    });
    page.on('requestfinished', over);
    page.on('requestfailed', over);
  }

  /** Streams that are open now. */
  get open(): number {
    return this.streams.size;
  }

  /** Resolves when the page has a stream. */
  async isTold(): Promise<void> {
    await eventually('a stream is open', async () => this.open > 0);
  }

  /** How often the page asked for a path of the API since it stands still. */
  count(path: string): number {
    return this.asked.filter((one) => one === path).length;
  }

  /** How much the page asked since it stands still, whatever it was. */
  get total(): number {
    return this.asked.length;
  }

  /** Stops the clock of the page, and counts from here on. */
  async stop(): Promise<void> {
    const now = await this.page.evaluate<number>('Date.now()');
    await this.page.clock.pauseAt(now + 1_000);
    await this.answered();
    this.asked = [];
  }

  /** Moves the clock of the page on. All that it asks on the way is answered before the clock moves further. */
  async pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds * 1_000; passed += STEP_MS) {
      await this.page.clock.runFor(STEP_MS);
      await this.answered();
    }
  }

  /** Moves the clock of the page on until it has a stream: no further, because a stream that is silent for long is lost, and the gateway's clock stands almost still beside. */
  async passUntilTold(seconds: number): Promise<void> {
    for (let passed = 0; this.open === 0 && passed < seconds; passed++) await this.pass(1);
  }

  /** Lets the clock of the page run by itself again. */
  async resume(): Promise<void> {
    await this.page.clock.resume();
  }

  private async answered(): Promise<void> {
    await eventually('the page has its answers', async () => {
      // What came is taken by the page before it says so.
      await this.page.evaluate(
        'new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); })',
      );
      return this.waiting.size === 0;
    });
  }
}
