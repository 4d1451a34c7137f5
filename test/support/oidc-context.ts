import type { AsyncLocalStorage } from 'node:async_hooks';

interface ForgetfulStorage extends AsyncLocalStorage<unknown> {
  isForgetful?: boolean;
}

/**
 * Disables the AsyncLocalStorage of oidc-provider between requests. Otherwise it stays active after the first
 * request, and Node.js before 24 then tracks every promise of the process. That costs a tenth of a worker's
 * time.
 */
export function forgetOidcRequests(): void {
  const { default: storage } = require('oidc-provider/lib/helpers/als.js') as { default: ForgetfulStorage };
  if (storage.isForgetful === true) return;
  const run: (store: unknown, answer: () => unknown) => unknown = storage.run.bind(storage);
  let open = 0;
  const forgetful = async (store: unknown, answer: () => unknown): Promise<unknown> => {
    open += 1;
    try {
      return await run(store, answer);
    } finally {
      open -= 1;
      if (open === 0) storage.disable();
    }
  };
  Object.assign(storage, { run: forgetful, isForgetful: true });
}
