import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** The rules of WCAG 2.2 and of earlier versions, levels A and AA. */
const RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
/** Rules about colors. The results of other rules depend only on the elements, not on the color scheme. */
const RULES_OF_COLORS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
const SCHEMES = ['light', 'dark'] as const;

/** JavaScript expression: whether the page's elements and attributes are unchanged since the last check. */
const IS_JUDGED = `document.body.outerHTML === globalThis.judged`;

const TRANSITIONS_END = `Promise.allSettled(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished),
).then(() => undefined)`;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** Returns the faults that axe-core finds on the current page: `rule: element: proposed correction`. */
export async function violationsOf(page: Page): Promise<string[]> {
  return judged(page, RULES);
}

/**
 * Returns the faults on the current page in the light and in the dark color scheme. If the dark scheme
 * changes no element, only the rules about colors are checked again.
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
  // Waits for color transitions to end, because a color in between belongs to neither scheme.
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
