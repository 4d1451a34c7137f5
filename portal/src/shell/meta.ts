/** Reads a value that the gateway wrote into the HTML of the page. */
export function meta(name: 'api' | 'base' | 'body-limit-mb' | 'build' | 'csp-nonce'): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
