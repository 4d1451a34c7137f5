/** What tabs tell each other. A channel has no other origins: it is for pages of this one. */
type Told = 'begun' | 'ended';

/**
 * Tells the shell that a request was refused because nobody is signed in any more; and tells all tabs that
 * somebody is again, or has signed out.
 */
class SessionEnded extends EventTarget {
  private readonly tabs = new BroadcastChannel('sign-in');

  constructor() {
    super();
    this.tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (data === 'begun' || data === 'ended') this.dispatch(data);
    });
  }

  announce(): void {
    this.dispatch('ended');
  }

  /** Called by the page in which a person signed out: all tabs of the browser have one sign-in. */
  left(): void {
    this.tell('ended');
    this.dispatch('ended');
  }

  /** Called by the page to which a sign-in returns. The other tabs may be those of somebody else. */
  begunAgain(): void {
    this.tell('begun');
  }

  private dispatch(told: Told): void {
    this.dispatchEvent(new Event(told));
  }

  private tell(told: Told): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.tabs.postMessage(told);
  }
}

export const sessionEnded = new SessionEnded();
