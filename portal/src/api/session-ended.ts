/** Tells the shell that a request was refused because nobody is signed in any more; and tells all tabs that somebody is again. */
class SessionEnded extends EventTarget {
  private readonly tabs = new BroadcastChannel('sign-in');

  constructor() {
    super();
    this.tabs.addEventListener('message', () => this.dispatchEvent(new Event('begun')));
  }

  announce(): void {
    this.dispatchEvent(new Event('ended'));
  }

  /** Called by the page to which a sign-in returns. The other tabs may be those of somebody else. */
  begunAgain(): void {
    // A channel has no other origins: it is for pages of this one.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.tabs.postMessage('begun');
  }
}

export const sessionEnded = new SessionEnded();
