import type { Locator } from 'playwright-core';
import type { Visit } from './journeys';

/** “To decide”, “My requests”, and the page of one request. */
export class ReviewScreens {
  constructor(private readonly visit: Visit) {}

  get why(): Locator {
    return this.visit.page.getByRole('textbox', {
      name: /^Reason for the (rejection|withdrawal|revocation)$/,
    });
  }

  button(name: string): Locator {
    return this.visit.page.getByRole('button', { name, exact: true });
  }

  field(name: string): Locator {
    return this.visit.page.getByRole('textbox', { name, exact: true });
  }

  /** The links of a list, each to a request. */
  get listed(): Locator {
    return this.visit.page.getByRole('main').getByRole('table').getByRole('link');
  }

  /** Waits until the page shows the state `name`, without a reload. */
  async state(name: string): Promise<void> {
    await this.visit.page.getByRole('status').getByText(name, { exact: true }).waitFor();
  }

  async reject(reason: string): Promise<void> {
    await this.visit.fill(this.why, reason);
    await this.visit.press(this.button('Reject'));
  }
}
