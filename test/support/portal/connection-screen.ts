import type { Locator } from 'playwright-core';
import type { Visit } from './journeys';

/** The page of one connection, as those see it who open it. */
export class ConnectionScreen {
  constructor(private readonly visit: Visit) {}

  button(name: string): Locator {
    return this.visit.page.getByRole('button', { name, exact: true });
  }

  /** A text that is there to be taken elsewhere, by its label. */
  copied(label: string): Locator {
    return this.visit.page.getByRole('group', { name: label, exact: true }).locator('pre');
  }

  get credentials(): Locator {
    return this.visit.page.getByRole('table', { name: 'Your credentials' }).getByRole('row');
  }
}
