const HEADER = 'X-Gateway-Portal-Unattended';
/** Who reads a long page does not touch it for a while. */
const GONE_AFTER_MS = 60_000;
/** What assistive technology does is a click, or input, alone. */
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove', 'click', 'input'];

let touchedAt = performance.now();
for (const kind of TOUCHES)
  addEventListener(kind, () => (touchedAt = performance.now()), { capture: true, passive: true });

/** Whether somebody is at the page. What it asks by itself while nobody is keeps no sign-in. */
export const attendance = {
  mark: (headers: Headers): void => {
    if (performance.now() - touchedAt >= GONE_AFTER_MS) headers.set(HEADER, '1');
  },
};
