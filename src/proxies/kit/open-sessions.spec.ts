import { type OpenSession, OpenSessions } from './open-sessions';

/** A session that ends when `finish` or `abort` is called, or never. */
class Session implements OpenSession {
  readonly heard: string[] = [];
  over: () => void = () => undefined;

  constructor(private readonly endsAt: 'finish' | 'abort' | 'never') {}

  finish(): void {
    this.hear('finish');
  }

  abort(): void {
    this.hear('abort');
  }

  private hear(what: 'finish' | 'abort'): void {
    this.heard.push(what);
    if (what === this.endsAt) void Promise.resolve().then(() => this.over());
  }
}

describe('OpenSessions', () => {
  const opened = (sessions: OpenSessions, endsAt: 'finish' | 'abort' | 'never'): Session => {
    const session = new Session(endsAt);
    session.over = sessions.register(session);
    return session;
  };

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('stop at once where nothing is open', async () => {
    await new OpenSessions().stop(20_000);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are asked to finish, and nothing more is asked of those that do', async () => {
    const sessions = new OpenSessions();
    const both = [opened(sessions, 'finish'), opened(sessions, 'finish')];
    await sessions.stop(20_000);
    for (const { heard } of both) expect(heard).toEqual(['finish']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are aborted after the grace, and left to themselves when they do not end then either', async () => {
    const sessions = new OpenSessions();
    const aborted = opened(sessions, 'abort');
    const hung = opened(sessions, 'never');
    const stopped = sessions.stop(20_000);
    await jest.advanceTimersByTimeAsync(19_999);
    expect(aborted.heard).toEqual(['finish']);
    await jest.advanceTimersByTimeAsync(1);
    expect([aborted.heard, hung.heard]).toEqual([
      ['finish', 'abort'],
      ['finish', 'abort'],
    ]);
    await jest.advanceTimersByTimeAsync(5_000);
    await stopped;
  });

  it('that begin while the gateway stops are asked to finish at once', async () => {
    const sessions = new OpenSessions();
    const first = opened(sessions, 'never');
    const stopped = sessions.stop(20_000);
    const late = opened(sessions, 'never');
    expect(late.heard).toEqual(['finish']);
    first.over();
    late.over();
    await stopped;
  });
});
