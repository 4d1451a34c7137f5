import type { Page, Request } from 'playwright-core';
import { eventually } from '../eventually';
import { isEventStream } from './walker';

/** A page step: shorter than any pause of the portal. */
const STEP_MS = 250;

/**
 * The page itself counts the answers that it waits for: the browser reports a request later than the page
 * makes it, and its end earlier than the page reads it.
 */
const COUNT_WAITS = `{
  const counted = (work) => {
    globalThis.waitsOfPage++;
    const over = () => { globalThis.waitsOfPage--; };
    work.then(over, over);
    return work;
  };
  globalThis.waitsOfPage = 0;
  const { fetch } = globalThis;
  globalThis.fetch = (...given) => counted(fetch(...given));
  for (const name of ['arrayBuffer', 'blob', 'json', 'text']) {
    const read = Response.prototype[name];
    Response.prototype[name] = function () { return counted(read.call(this)); };
  }
}`;

/** Resolves to that count, when the page has done all else that it can do while its clock stands still. */
const WAITS = `scheduler.postTask(() => globalThis.waitsOfPage, { priority: 'background' })`;

/**
 * A page of the portal whose clock stands still until a test moves it on; it
 * hears what the page asks the API meanwhile.
 */
export class TimedPage {
  private readonly waiting = new Set<Request>();
  private readonly streams = new Set<Request>();
  private asked: string[] = [];

  /** @param page that no address was opened in yet */
  static async of(page: Page, api: string): Promise<TimedPage> {
    await page.clock.install();
    await page.addInitScript(COUNT_WAITS);
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

  /** Resolves when the page knows that its streams are cut: from then on it counts the time without them. */
  async isCut(): Promise<void> {
    await eventually('no stream is open', async () => this.open === 0);
    await this.answered();
  }

  /** Number of the page's requests for a path of the API since its clock stopped. */
  count(path: string): number {
    return this.asked.filter((one) => one === path).length;
  }

  /** Number of all requests of the page since its clock stopped. */
  get total(): number {
    return this.asked.length;
  }

  /** Stops the clock of the page, and counts from here on. */
  async stop(): Promise<void> {
    await this.pause();
    await this.answered();
    this.asked = [];
  }

  /**
   * Moves the clock of the page on. All that it asks on the way is answered before the clock moves further.
   */
  async pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds * 1_000; passed += STEP_MS) await this.step();
  }

  /**
   * Moves the clock of the page on until `look` returns true, and fails after so many seconds of that clock.
   * Pages draw by timers: an answer is not seen before their clock moves.
   */
  async passUntil(what: string, seconds: number, look: () => Promise<boolean>): Promise<void> {
    for (let passed = 0; !(await look()); passed += STEP_MS) {
      if (passed >= seconds * 1_000) throw new Error(`not within ${seconds} s of the page's clock: ${what}`);
      await this.step();
    }
  }

  /**
   * Moves the clock of the page on until it has a stream: no further, because a stream that is silent for
   * long is lost, and the gateway's clock stands almost still beside.
   */
  async passUntilTold(seconds: number): Promise<void> {
    await this.passUntil('a stream is open', seconds, async () => this.open > 0);
  }

  /** Lets the clock of the page run by itself again. */
  async resume(): Promise<void> {
    await this.page.clock.resume();
  }

  private async step(): Promise<void> {
    await this.page.clock.runFor(STEP_MS);
    await this.answered();
  }

  /** A clock stops at a time ahead of it. Where that time has passed, it stops too, and the call fails. */
  private async pause(): Promise<void> {
    for (;;) {
      const now = await this.page.evaluate<number>('Date.now()');
      try {
        return await this.page.clock.pauseAt(now + 1_000);
      } catch (fault) {
        if (!String(fault).includes('Cannot fast-forward to the past')) throw fault;
      }
    }
  }

  private async answered(): Promise<void> {
    await eventually('the page has its answers', async () => {
      const waits = await this.page.evaluate<number>(WAITS);
      return waits === 0 && this.waiting.size === 0;
    });
  }
}
