import type { Locator } from 'playwright-core';
import type { Visit } from './journeys';

/** The page of one connection, as users who may open the connection see it. */
export class ConnectionScreen {
  constructor(private readonly visit: Visit) {}

  button(name: string): Locator {
    return this.visit.page.getByRole('button', { name, exact: true });
  }

  /** The element with a text that the page offers for copying, by its label. */
  copied(label: string): Locator {
    return this.visit.page.getByRole('group', { name: label, exact: true }).locator('pre');
  }

  get credentials(): Locator {
    return this.visit.page.getByRole('table', { name: 'Your credentials' }).getByRole('row');
  }
}
