/**
 * Makes the elements that are created from now on obey the content security policy of the page: style
 * elements get its nonce, and style attributes are set by the object model, which the policy allows. xterm.js
 * has no option for either. Returns a function that ends this.
 */
export function createUnderPolicy(nonce: string): () => void {
  const create = document.createElement.bind(document);
  const createObedient = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const element = create(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    const set = element.setAttribute.bind(element);
    element.setAttribute = (attribute, value): void => {
      if (attribute === 'style') element.style.cssText = value;
      else set(attribute, value);
    };
    return element;
  };
  Object.defineProperty(document, 'createElement', { value: createObedient, configurable: true });
  return () => void Reflect.deleteProperty(document, 'createElement');
}
