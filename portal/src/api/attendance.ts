const HEADER = 'X-Gateway-Portal-Unattended';
/** A reader of a long page does not touch it for a while. */
const GONE_AFTER_MS = 60_000;
/** Assistive technology sends a click or an input event alone. */
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove', 'click', 'input'];

let touchedAt = performance.now();
for (const kind of TOUCHES)
  addEventListener(kind, () => (touchedAt = performance.now()), { capture: true, passive: true });

/**
 * Reports whether a person uses the page. Requests that the page makes while nobody uses it do not prolong
 * the sign-in.
 */
export const attendance = {
  mark: (headers: Headers): void => {
    if (performance.now() - touchedAt >= GONE_AFTER_MS) headers.set(HEADER, '1');
  },
};
