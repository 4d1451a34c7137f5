import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describeInBrowser, reportFaults, startChromium } from '../chromium';
import type { Person, TestGateway } from '../gateway';
import { scoped } from '../scoped';
import { IS_LONG, turnOf } from '../volume';
import { type Hands, WAYS, type Way, handsOf } from './hands';
import { type KilledGateway, KilledGateways, OpenRequests } from './killed-gateway';

/** A person at a page of the portal. */
export interface Visit extends Hands {
  readonly page: Page;
  readonly way: Way;
  /** Opens a path of the portal with a full page load, as a link on another site does. */
  go(path: string): Promise<void>;
  /** Waits until a text is visible on the page. */
  sees(text: string | RegExp): Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** Whether to sign in anew, with a portal session that no other page of the test uses. */
  readonly isAlone?: boolean;
}

export interface Journey {
  readonly way: Way;
  /** Opens a page of the portal for a signed-in person. It is closed at the end of the journey (the test). */
  readonly open: (person: Person, path: string, options?: VisitOptions) => Promise<Visit>;
  /** Opens a page in a browser in which nobody is signed in. */
  readonly openUnknown: (path: string, options?: BrowserContextOptions) => Promise<Visit>;
  /** Signs in at the page of the identity provider. */
  readonly signIn: (visit: Visit, person: Person) => Promise<void>;
  /** Returns a `Visit` for another page, for example for a tab that a page opened. */
  readonly at: (page: Page) => Visit;
  /** Returns a name that no other journey (test) uses. */
  readonly unique: (prefix: string) => string;
}

interface Path {
  readonly gateway: TestGateway;
  close(): Promise<unknown>;
}

export interface Journeys<P> {
  readonly path: P;
  /**
   * Defines a test that runs by keyboard alone or by mouse, by turns: the first of a `describeJourneys` by
   * keyboard, the second by mouse. The first also runs by mouse while its gateway is killed. With
   * `TEST_VOLUME=long`, each runs in all three ways. The test fails if the browser reports a fault.
   */
  readonly journey: (
    title: string,
    body: (journey: Journey) => Promise<void>,
    options?: JourneyOptions,
  ) => void;
}

export interface JourneyOptions {
  /** The reason why the gateway cannot be killed during the journey (the test). */
  readonly unkilled?: string;
}

export const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true };

/**
 * `describe` for journeys: tests of people's actions at the portal of one gateway, in one Chromium.
 * @param start starts the gateway, for example `startReviewPath`
 */
export function describeJourneys<P extends Path>(
  title: string,
  start: () => Promise<P>,
  body: (journeys: Journeys<P>) => void,
  { unkilled: allUnkilled }: JourneyOptions = {},
): void {
  describeInBrowser(
    title,
    scoped((begin) => {
      const path = begin(start);
      const killed = begin(() => KilledGateways.start(path.gateway));
      const browser = begin(async () => startChromium(killed.browserArguments));
      const people = new SignedIn(browser, () => path.gateway);
      const walk = async (
        way: Way,
        steps: (journey: Journey) => Promise<void>,
        loss?: Loss,
      ): Promise<number> => {
        const visits = new Visits(browser, path.gateway, way, people, loss);
        try {
          await steps(visits.journey());
          expect(visits.faults).toEqual([]);
          return visits.count;
        } catch (fault) {
          throw await visits.described(fault);
        } finally {
          await visits.close();
        }
      };
      let journeys = 0;
      body({
        path,
        journey: (name, steps, { unkilled = allUnkilled } = {}) => {
          let count = 1;
          const index = journeys++;
          for (const way of turnOf(WAYS, index, 1)) {
            it(`${name} (${way})`, async () => {
              count = await walk(way, steps);
            });
          }
          if (unkilled !== undefined || (!IS_LONG && index > 0)) return;
          it(`${name} (its gateway is killed)`, async () => {
            const loss = { gateway: await killed.begin(), after: lossOf(name, count) };
            try {
              await walk('mouse', steps, loss);
            } finally {
              await loss.gateway.end();
            }
            expect(loss.gateway.isKilled).toBe(true);
          });
        },
      });
    }),
  );
}

/** The gateway to kill: after at least `after` steps, as soon as no page waits for an answer. */
interface Loss {
  readonly gateway: KilledGateway;
  readonly after: number;
}

/**
 * Returns the number of steps of a journey (a test) after which its gateway is killed. It is at least 1,
 * because the first step opens a page. It is derived from the title, so it is the same in each run.
 */
function lossOf(title: string, steps: number): number {
  let sum = 0;
  for (const character of title) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return 1 + (sum % Math.max(steps - 1, 1));
}

/** Browser contexts of signed-in people. Each person signs in once for all journeys (tests) of a file. */
class SignedIn {
  private readonly contexts = new Map<Person, BrowserContext>();

  constructor(
    private readonly browser: Browser,
    private readonly gateway: () => TestGateway,
  ) {}

  async contextOf(person: Person): Promise<BrowserContext> {
    let context = this.contexts.get(person);
    if (context === undefined) {
      context = await this.browser.newContext();
      const page = await context.newPage();
      await page.goto(new URL('/', this.gateway().api).href);
      await signIn(handsOf('mouse', page), page, person, this.gateway());
      await page.close();
      this.contexts.set(person, context);
    }
    return context;
  }

  /** Returns a person's signed-in state, for a new browser context. */
  async stateOf(person: Person): Promise<BrowserContextOptions> {
    return { storageState: await (await this.contextOf(person)).storageState() };
  }
}

let count = 0;

class Visits {
  readonly faults: string[] = [];
  /** Number of steps so far: actions of people, and waits for a text. */
  count = 0;
  /** Browser contexts that only this journey (test) uses. */
  private readonly contexts: BrowserContext[] = [];
  /** Browser contexts that this journey shares with other journeys. */
  private readonly shared = new Set<BrowserContext>();
  private readonly requests = new OpenRequests();

  constructor(
    private readonly browser: Browser,
    private readonly gateway: TestGateway,
    private readonly way: Way,
    private readonly people: SignedIn,
    private readonly loss?: Loss,
  ) {}

  /** Returns functions that need no `this`, because journeys destructure the object. */
  journey(): Journey {
    return {
      way: this.way,
      open: (person, path, options) => this.open(person, path, options),
      openUnknown: (path, options) => this.openUnknown(path, options),
      signIn: (visit, person) => this.signIn(visit, person),
      at: (page) => this.at(page),
      unique: (prefix) => `${prefix}-${++count}`,
    };
  }

  private async open(
    person: Person,
    path: string,
    { isAlone = false, ...options }: VisitOptions = {},
  ): Promise<Visit> {
    // Uses a new context if the gateway is killed, because data stored in a browser could hide the loss.
    const isOwn = this.loss !== undefined || Object.keys(options).length > 0;
    if (!isAlone && !isOwn) {
      const context = await this.people.contextOf(person);
      this.shared.add(context);
      return this.openIn(context, path);
    }
    if (!isAlone) return this.openUnknown(path, { ...options, ...(await this.people.stateOf(person)) });
    const visit = await this.openUnknown(path, options);
    await this.signIn(visit, person);
    return visit;
  }

  private async openUnknown(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await this.browser.newContext(options);
    this.contexts.push(context);
    this.requests.watch(context);
    return this.openIn(context, path);
  }

  private async openIn(context: BrowserContext, path: string): Promise<Visit> {
    const page = await context.newPage();
    const visit = this.at(page);
    await visit.go(path);
    return visit;
  }

  private at(page: Page): Visit {
    reportFaults(page, this.faults);
    const hands = handsOf(this.way, page);
    const step = async (act: () => Promise<void>): Promise<void> => {
      await this.loseGateway();
      this.count++;
      await act();
    };
    return {
      page,
      way: this.way,
      press: (target) => step(() => hands.press(target)),
      fill: (field, text) => step(() => hands.fill(field, text)),
      choose: (field, option) => step(() => hands.choose(field, option)),
      add: (field, name) => step(() => hands.add(field, name)),
      go: (to) =>
        step(async () => {
          await page.goto(new URL(to, this.gateway.api).href);
          // Kills the gateway after this step too, because the journey may have no further step.
          await this.loseGateway();
        }),
      sees: (text) => step(() => page.getByText(text).first().waitFor()),
    };
  }

  /** Kills the gateway if enough steps are done and all requests are answered. */
  private async loseGateway(): Promise<void> {
    const isDue = this.loss !== undefined && this.count >= this.loss.after && !this.loss.gateway.isKilled;
    if (isDue && (await this.requests.areAnswered())) await this.loss?.gateway.kill();
  }

  private signIn(visit: Visit, person: Person): Promise<void> {
    return signIn(visit, visit.page, person, this.gateway);
  }

  /** Returns the fault together with the faults that the browser reported, and the texts of all pages. */
  async described(fault: unknown): Promise<Error> {
    const shown = [...this.contexts, ...this.shared]
      .flatMap((context) => context.pages())
      .map(async (page) => {
        const text = await page.locator('body').innerText({ timeout: 1_000 }).catch(String);
        return `${page.url()}\n${text.slice(0, 2_000)}`;
      });
    const texts = await Promise.all(shown);
    const reports = this.faults.length === 0 ? [] : [`reported: ${this.faults.join('\n')}`];
    const said = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    return new Error([said, ...reports, ...texts].join('\n---\n'));
  }

  async close(): Promise<void> {
    const pages = [...this.shared].flatMap((context) => context.pages());
    // Clears the choices that a person stored, so that the next journey starts without them.
    await Promise.all(pages.map((page) => page.evaluate('localStorage.clear()').catch(() => undefined)));
    await Promise.all([...this.contexts, ...pages].map((one) => one.close()));
  }
}

async function signIn(hands: Hands, page: Page, person: Person, gateway: TestGateway): Promise<void> {
  await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
  await hands.press(accountOf(page, person));
  await page.waitForURL(`${new URL(gateway.api).origin}/**`);
}

/** The button of a person at the page of the identity provider. */
export function accountOf(page: Page, person: Person): Locator {
  return page.locator(`button[value="${person}"]`);
}
