import type { Locator } from 'playwright-core';
import type { Visit } from './journeys';

/** “Run SQL”, as people know it. */
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

  /** A link that an answer shows. */
  link(name: string): Locator {
    return this.visit.page.getByRole('status').getByRole('link', { name, exact: true });
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
