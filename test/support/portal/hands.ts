import type { Locator, Page } from 'playwright-core';

/**
 * Actions of a person on a page. Each journey (a test of a person's actions in the portal) is written once
 * with this interface, and run with the mouse and with the keyboard alone.
 */
export interface Hands {
  /** Activates a link, a button, a tab or a checkbox. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  fill(field: Locator, text: string): Promise<void>;
  /** Picks an option of a field's drop-down list, or of a native `<select>`. */
  choose(field: Locator, option: string): Promise<void>;
  /** Adds a name to a field that holds several names. */
  add(field: Locator, name: string): Promise<void>;
}

export type Way = 'mouse' | 'keyboard';
export const WAYS: readonly Way[] = ['keyboard', 'mouse'];

export function handsOf(way: Way, page: Page): Hands {
  return way === 'mouse' ? new MouseHands(page) : new KeyboardHands(page);
}

class MouseHands implements Hands {
  constructor(private readonly page: Page) {}

  press(target: Locator): Promise<void> {
    return target.click();
  }

  async fill(field: Locator, text: string): Promise<void> {
    await field.click();
    await field.fill(text);
  }

  async choose(field: Locator, option: string): Promise<void> {
    if (await isSelect(field)) return void (await field.selectOption({ label: option }));
    await field.click();
    await this.page.getByRole('option', { name: option, exact: true }).click();
  }

  async add(field: Locator, name: string): Promise<void> {
    await field.click();
    await typeName(field, name);
    // Closes the field's list of suggestions, as a click elsewhere would.
    await field.blur();
  }
}

/** Maximum number of key presses to reach an element. No page of the portal needs more. */
const MOST_STEPS = 300;

const BOX = 'input[type=checkbox],[role=switch],[role=checkbox]';
/** Selector of the option that the arrow keys have selected, while the focus stays in the field. */
const ACTIVE = '[data-combobox-selected]';
/** Groups of tabs or radio buttons. The Tab key stops once at a group; arrow keys move within it. */
const GROUP = '[role=tablist], [role=radiogroup]';

/** Members of a DOM element that functions within the page use. */
interface Placed {
  matches(selector: string): boolean;
  closest(selector: string): Placed | null;
}

/** Uses only Tab, arrow keys, Enter, Space and typing. Fails if an element cannot be reached with them. */
class KeyboardHands implements Hands {
  constructor(private readonly page: Page) {}

  async press(target: Locator): Promise<void> {
    await this.reach(target);
    await this.page.keyboard.press((await this.is(target, BOX)) ? 'Space' : 'Enter');
  }

  async fill(field: Locator, text: string): Promise<void> {
    await this.reach(field);
    await this.page.keyboard.press('ControlOrMeta+A');
    if (text === '') await this.page.keyboard.press('Delete');
    else await this.page.keyboard.type(text);
  }

  async choose(field: Locator, option: string): Promise<void> {
    await this.reach(field);
    if (await isSelect(field)) return this.select(field, option);
    const wanted = this.page.getByRole('option', { name: option, exact: true });
    await this.page.keyboard.press('ArrowDown');
    await wanted.waitFor({ state: 'attached' });
    const count = await this.page.getByRole('option').count();
    for (let step = 0; step <= count; step++) {
      if (await this.is(wanted, ACTIVE)) return this.page.keyboard.press('Enter');
      await this.page.keyboard.press('ArrowDown');
    }
    throw new Error(`the option ${option} cannot be reached by keyboard`);
  }

  async add(field: Locator, name: string): Promise<void> {
    await this.reach(field);
    await typeName(field, name);
  }

  /** Chooses with the arrow keys, which also work on a closed native `<select>`. */
  private async select(field: Locator, option: string): Promise<void> {
    const options = await field.locator('option').allInnerTexts();
    const { keyboard } = this.page;
    await keyboard.press('Home');
    for (let at = 0; at < options.indexOf(option); at++) await keyboard.press('ArrowDown');
    const chosen = await field.locator('option:checked').innerText();
    if (chosen !== option) throw new Error(`the option ${option} cannot be reached by keyboard`);
  }

  private async reach(target: Locator): Promise<void> {
    await target.waitFor();
    for (const limit = Date.now() + 30_000; !(await isReady(target));) {
      if (Date.now() > limit) throw new Error(`it stays disabled: ${target.toString()}`);
      await this.page.waitForTimeout(25);
    }
    for (let step = 0; step < MOST_STEPS; step++) {
      const focus = await this.focusAt(target);
      if (focus === 'there') return;
      await this.page.keyboard.press(focus === 'beside' ? 'ArrowRight' : 'Tab');
    }
    throw new Error(`it cannot be reached by keyboard: ${target.toString()}`);
  }

  /** Returns where the focus is: on the target, on another member of the target's `GROUP`, or elsewhere. */
  private focusAt(target: Locator): Promise<'there' | 'beside' | 'elsewhere'> {
    return target.evaluate((element: Placed, group) => {
      if (element.matches(':focus')) return 'there';
      return element.closest(group)?.matches(':focus-within') === true ? 'beside' : 'elsewhere';
    }, GROUP);
  }

  private async is(target: Locator, selector: string): Promise<boolean> {
    return (await target.and(this.page.locator(selector)).count()) > 0;
  }
}

async function isReady(target: Locator): Promise<boolean> {
  return (await target.isEnabled()) && (await target.getAttribute('data-loading')) === null;
}

async function isSelect(field: Locator): Promise<boolean> {
  return (await field.and(field.page().locator('select')).count()) > 0;
}

/** Types a name and adds it with Enter. People who use the mouse must do this too. */
async function typeName(field: Locator, name: string): Promise<void> {
  const { keyboard } = field.page();
  await keyboard.type(name);
  await keyboard.press('Enter');
  if ((await field.inputValue()) !== '') throw new Error(`the name ${name} was not taken`);
}
