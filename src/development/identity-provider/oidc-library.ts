export type OidcLibrary = typeof import('oidc-provider');

const NODE_20_WARNING = 'oidc-provider WARNING: Unsupported runtime';

/**
 * Loads `oidc-provider` when a development identity provider is started, never before: it is an optional
 * package, and an installation without it must still start.
 *
 * On Node 20 the library warns once while it loads that it wants Node 22. It is tested on 20, so this
 * line is dropped during this one synchronous call; all other warnings are passed on. Its other warnings
 * are about defaults unfit for production, and do not appear because the configuration sets those values.
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
