export type OidcLibrary = typeof import('oidc-provider');

const NODE_20_WARNING = 'oidc-provider WARNING: Unsupported runtime';

/**
 * Loads `oidc-provider` when a development identity provider is started, never before, because it is an
 * optional package and an installation without it must still start.
 *
 * On Node 20 the library logs a warning while it loads, because it expects Node 22. We test it on Node 20, so
 * this warning is suppressed during the load; all other warnings are passed on. The library also warns about
 * defaults unfit for production, but not here, because the configuration sets all of them.
 */
export function loadOidcLibrary(): OidcLibrary {
  const warn = console.warn;
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes(NODE_20_WARNING)) warn(...words);
  };
  try {
    return require('oidc-provider') as OidcLibrary;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    throw new Error(
      'The development identity provider needs the optional package oidc-provider: run npm install without --omit=optional.',
      { cause },
    );
  } finally {
    console.warn = warn;
  }
}
