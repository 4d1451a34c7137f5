import type { Locator } from 'playwright-core';
import { eventually } from '../eventually';
import type { Visit } from './journeys';

/** The page that runs scripts, at a database. */
export class RunScreen {
  constructor(private readonly visit: Visit) {}

  get script(): Locator {
    return this.visit.page.getByRole('textbox', { name: 'SQL', exact: true });
  }

  get reason(): Locator {
    return this.visit.page.getByRole('textbox', { name: 'Reason', exact: true });
  }

  get result(): Locator {
    return this.visit.page.getByRole('table', { name: 'Result' });
  }

  button(name: string): Locator {
    return this.visit.page.getByRole('button', { name, exact: true });
  }

  /** A link in the answer to a script. */
  link(name: string): Locator {
    return this.visit.page.getByRole('status').getByRole('link', { name, exact: true });
  }

  /** Types a further text of the script, and accepts a completion that the editor offers. */
  async complete(text: string, option: string): Promise<void> {
    const { page, way } = this.visit;
    await page.keyboard.type(text);
    const offered = page.getByRole('option', { name: option, exact: true });
    await offered.waitFor();
    if (way === 'mouse') return offered.click();
    // For 75 ms after the list opens, keys still go to the text, so that nobody accepts an option by mistake.
    const seen = Date.now();
    await eventually('the list takes keys', async () => Date.now() - seen > 100);
    while ((await offered.getAttribute('aria-selected')) === null) await page.keyboard.press('ArrowDown');
    return page.keyboard.press('Enter');
  }

  async check(script: string): Promise<void> {
    await this.visit.fill(this.script, script);
    await this.visit.press(this.button('Check'));
  }

  async run(script: string, reason?: string): Promise<void> {
    await this.visit.fill(this.script, script);
    if (reason !== undefined) await this.visit.fill(this.reason, reason);
    await this.visit.press(this.button('Run'));
  }
}
