import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** The rules of WCAG 2.2, levels A and AA, with those of the versions before it. */
const RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
/** Rules about colors: all others find the same at the same elements in another scheme. */
const RULES_OF_COLORS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
const SCHEMES = ['light', 'dark'] as const;

/** Whether the page has the elements, with all attributes, that it had when it was judged last. */
const IS_JUDGED = `document.body.outerHTML === globalThis.judged`;

const TRANSITIONS_END = `Promise.allSettled(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished),
).then(() => undefined)`;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** Faults that axe-core finds on the current page: `rule: element: what to mend`. */
export async function violationsOf(page: Page): Promise<string[]> {
  return judged(page, RULES);
}

/**
 * The same in light and in dark. If dark changes no element, it can only change the results of the color
 * rules.
 */
export async function violationsInSchemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  let isJudged = false;
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    if (isJudged) isJudged = await page.evaluate<boolean>(IS_JUDGED);
    const violations = await judged(page, isJudged ? RULES_OF_COLORS : RULES);
    found.push(...violations.map((text) => `${colorScheme}: ${text}`));
    await page.evaluate('globalThis.judged = document.body.outerHTML');
    isJudged = true;
  }
  return found;
}

async function judged(page: Page, runOnly: typeof RULES): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) !== 'object') await page.evaluate(AXE);
  // Colors that are on their way to another are neither.
  await page.evaluate(TRANSITIONS_END);
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
    `axe.run(document, ${options})`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id}: ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`,
    ),
  );
}
