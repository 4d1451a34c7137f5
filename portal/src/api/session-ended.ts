/** Messages to the other tabs, which are sent when a sign-in began or ended. They reach this origin only. */
type Told = 'begun' | 'ended';

/**
 * Reports to the shell (the frame of every page) that a request was refused because nobody is signed in any
 * more. Reports to all tabs that a user signed in again, or signed out.
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

  /** Called by the page in which a user signed out, because all tabs of the browser share one sign-in. */
  left(): void {
    this.tell('ended');
    this.dispatch('ended');
  }

  /** Called by the page that opens after a sign-in, because the other tabs may belong to another user. */
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
