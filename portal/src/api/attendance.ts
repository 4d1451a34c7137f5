const HEADER = 'X-Gateway-Portal-Unattended';
/** Time without input after which the page counts as unattended. Long, because reading needs no input. */
const GONE_AFTER_MS = 60_000;
/** Events of user input. Assistive technology sends only click or input events. */
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove', 'click', 'input'];

let touchedAt = performance.now();
for (const kind of TOUCHES)
  addEventListener(kind, () => (touchedAt = performance.now()), { capture: true, passive: true });

/**
 * Marks requests that the page sends while nobody uses it, so that they do not prolong the sign-in.
 */
export const attendance = {
  mark: (headers: Headers): void => {
    if (performance.now() - touchedAt >= GONE_AFTER_MS) headers.set(HEADER, '1');
  },
};
