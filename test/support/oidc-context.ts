import type { AsyncLocalStorage } from 'node:async_hooks';

interface ForgetfulStorage extends AsyncLocalStorage<unknown> {
  isForgetful?: boolean;
}

/**
 * An AsyncLocalStorage of oidc-provider stays in use after its first request. Node.js
 * before 24 then tracks every promise of the process, which is a tenth of what a
 * worker does: here it is in use during requests only.
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
