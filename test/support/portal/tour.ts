import type { Page } from 'playwright-core';
import type { Walker } from './walker';
import type { WatchedPage } from './watched-page';

/** Returns a script that clicks the elements of a selector without a pointer; with `at`, only one of them. */
const click = (selector: string, at?: number): string =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})]${at === undefined ? '' : `.slice(${at}, ${at + 1})`}.forEach((one) => one.click())`;

const DETAILS = 'main button[aria-expanded=false]:not([aria-haspopup])';
const LISTS = 'main input[aria-haspopup=listbox]';
/** Maximum number of pages to visit in a list. No list in the tests has more. */
const MOST_PAGES = 12;
/** Names of buttons that open a confirmation dialog for an action on one named object: `Delete …: object`. */
const ASKING = /^(Delete|Revoke|End|Disconnect).*: /;

/** Visits screens, opens their tabs, details, lists and dialogs, and inspects all content. */
export class Tour {
  screens = 0;

  constructor(
    private readonly watched: WatchedPage,
    private readonly walker: Walker,
  ) {}

  private get page(): Page {
    return this.watched.page;
  }

  /** Goes to a path, and inspects the screen with its tabs, details, lists and confirmation dialogs. */
  async visit(path: string): Promise<void> {
    await this.walker.go(path);
    this.screens++;
    await this.watched.look();
    const tabs = this.page.getByRole('main').getByRole('tab');
    for (let at = 0; at < (await tabs.count()); at++) {
      await tabs.nth(at).click();
      await this.seen();
    }
    if ((await this.page.locator(DETAILS).count()) > 0) {
      await this.page.evaluate(click(DETAILS));
      await this.seen();
    }
    const lists = await this.page.locator(LISTS).count();
    for (let at = 0; at < lists; at++) {
      await this.page.evaluate(click(LISTS, at));
      await this.seen();
      await this.page.keyboard.press('Escape');
    }
    await this.question();
    await this.pointer();
    await this.otherPages();
  }

  /** Goes to a path, and inspects the visible content of all pages of a list. */
  async pass(path: string): Promise<void> {
    await this.walker.go(path);
    this.screens++;
    await this.watched.look();
    await this.otherPages();
  }

  /** Inspects the page when it has loaded completely. */
  async seen(): Promise<void> {
    await this.walker.settled();
    await this.watched.look();
  }

  private async otherPages(): Promise<void> {
    const next = this.page.getByRole('main').getByRole('button', { name: 'Next page', exact: true });
    for (let page = 2; page <= MOST_PAGES; page++) {
      if ((await next.count()) === 0 || (await next.isDisabled())) return;
      await next.click();
      this.screens++;
      await this.seen();
    }
  }

  private async question(): Promise<void> {
    const asking = this.page.getByRole('main').getByRole('button', { name: ASKING }).first();
    if ((await asking.count()) === 0) return;
    await asking.click();
    await this.page.getByRole('dialog').waitFor();
    await this.watched.look();
    await this.page.keyboard.press('Escape');
    await this.page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  /** Moves the pointer over the page, because some strings attack only then. */
  private async pointer(): Promise<void> {
    for (const y of [150, 300, 450, 600]) await this.page.mouse.move(500, y);
    await this.page.mouse.wheel(0, 200);
  }
}
