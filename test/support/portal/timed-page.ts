import type { Page, Request } from 'playwright-core';
import { eventually } from '../eventually';
import { isEventStream } from './walker';

/** Length of one step of the page's clock. It is shorter than any delay in the portal. */
const STEP_MS = 250;

/**
 * JavaScript that counts, within the page, the answers that the page waits for. The events of the browser do
 * not suffice: they report a request late, and report its end before the page has read the answer.
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

/** Resolves to `waitsOfPage` after the page has done all work that it can do while its clock stands still. */
const WAITS = `scheduler.postTask(() => globalThis.waitsOfPage, { priority: 'background' })`;

/**
 * A page of the portal whose clock stands still until a test moves it forward. It counts the requests that
 * the page sends to the API.
 */
export class TimedPage {
  private readonly waiting = new Set<Request>();
  private readonly streams = new Set<Request>();
  private asked: string[] = [];

  /** @param page a page that has not opened any address yet */
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

  /** Resolves when the page has an open event stream. */
  async isTold(): Promise<void> {
    await eventually('a stream is open', async () => this.open > 0);
  }

  /** Resolves when the page has noticed that its streams are closed, and measures the time without one. */
  async isCut(): Promise<void> {
    await eventually('no stream is open', async () => this.open === 0);
    await this.answered();
  }

  /** Returns the number of the page's requests for a path of the API since the last `stop`. */
  count(path: string): number {
    return this.asked.filter((one) => one === path).length;
  }

  /** Number of all API requests of the page since the last `stop`. */
  get total(): number {
    return this.asked.length;
  }

  /** Stops the page's clock, and counts its requests from now on. */
  async stop(): Promise<void> {
    await this.pause();
    await this.answered();
    this.asked = [];
  }

  /** Moves the page's clock forward in steps. After each step, waits for the answers to all requests. */
  async pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds * 1_000; passed += STEP_MS) await this.step();
  }

  /**
   * Moves the page's clock forward until `look` returns true. Fails after `seconds` of this clock. Pages draw
   * by timers, so an answer becomes visible only when the clock moves.
   */
  async passUntil(what: string, seconds: number, look: () => Promise<boolean>): Promise<void> {
    for (let passed = 0; !(await look()); passed += STEP_MS) {
      if (passed >= seconds * 1_000) throw new Error(`not within ${seconds} s of the page's clock: ${what}`);
      await this.step();
    }
  }

  /**
   * Moves the page's clock forward until the page has an open event stream, but no further. Otherwise the
   * page would treat the stream as lost, because the gateway, whose own clock hardly moves, sends nothing.
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

  /** Stops the page's clock one second ahead. If that time has already passed, tries again. */
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
