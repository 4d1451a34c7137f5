import { meta } from '../shell/meta';

const HEADER = 'X-Gateway-Portal-Build';

const listeners = new Set<() => void>();
let isKnown = false;

/** Reports whether the gateway was upgraded since this page was loaded, so that the page is outdated. */
export const upgrade = {
  isKnown: (): boolean => isKnown,
  read: ({ headers }: Response): void => {
    const build = headers.get(HEADER);
    const own = meta('build');
    if (isKnown || build === null || own === '' || build === own) return;
    isKnown = true;
    for (const listener of listeners) listener();
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
