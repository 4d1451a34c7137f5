/** How often a page asks for what may have changed, while it is in sight. */
export const ASKED_EVERY_MS = 2_000;
