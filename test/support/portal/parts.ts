import type { Locator } from 'playwright-core';
import type { Visit } from './journeys';

/** Locators for elements of a page, by their names in the accessibility tree. */
export const parts = {
  field: ({ page }: Visit, name: string): Locator => page.getByRole('textbox', { name, exact: true }),
  /** A text field with suggestions, or a drop-down list. */
  list: ({ page }: Visit, name: string): Locator => page.getByRole('combobox', { name, exact: true }),
  box: ({ page }: Visit, name: string): Locator => page.getByRole('checkbox', { name, exact: true }),
  /** A button of the page's main content. */
  button: ({ page }: Visit, name: string): Locator =>
    page.getByRole('main').getByRole('button', { name, exact: true }),
  /** A link of the page's main content, not of the navigation. */
  link: ({ page }: Visit, name: string | RegExp): Locator =>
    page.getByRole('main').getByRole('link', { name, exact: true }),
  tab: ({ page }: Visit, name: string): Locator => page.getByRole('tab', { name, exact: true }),
  row: ({ page }: Visit, text: string | RegExp): Locator => page.getByRole('row').filter({ hasText: text }),
  /** A secret that is shown once. */
  shownOnce: ({ page }: Visit): Locator =>
    page.getByRole('status').filter({ hasText: 'shown once' }).locator('pre'),
  /** A button of the open confirmation dialog. */
  answer: ({ page }: Visit, name: string): Locator =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).last(),
};

/** Waits until the portal shows the page with this title. */
export async function arrives({ page }: Visit, title: string): Promise<void> {
  await page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor();
}
