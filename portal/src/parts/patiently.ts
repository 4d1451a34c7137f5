import { meta } from '../shell/meta';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Loads code, and retries until a gateway answers, because a gateway that stopped is replaced. If the load
 * fails although a gateway answers, tries once more. A second failure means that the code no longer exists,
 * because the gateway was upgraded.
 */
export function patiently<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await load();
      } catch {
        if (await isReached()) return load();
        await new Promise((again) => setTimeout(again, pause));
      }
    }
  };
}

function isReached(): Promise<boolean> {
  return fetch(`${meta('base')}/favicon.svg`, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}
