/** Values that the gateway wrote into the page. */
export function meta(name: 'api' | 'base' | 'body-limit-mb' | 'build' | 'csp-nonce'): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
