import { isLegacyRevision, isModernRevision } from '../protocol/revisions';
import type {
  DiscoveredServer,
  ExchangeOptions,
  McpUpstream,
  RememberedEra,
  SubscriptionFilter,
  SubscriptionOptions,
  UpstreamAnswer,
  UpstreamOptions,
  UpstreamRequest,
} from './contract';
import { UpstreamFault } from './contract';
import { detectSpeaker } from './detection';
import { closedFault, notSent } from './faults';
import { HttpWay } from './http-way';
import { LegacySpeaker } from './legacy-speaker';
import { ModernSpeaker } from './modern-speaker';
import { EraMismatch, type Speaker, type SpeakerOptions } from './speaker';

/** Time after which the protocol era of a server is detected again. */
const REMEMBERED_MS = 24 * 3_600_000;

/** An upstream that detects the protocol era of its server, and again if the detected era was wrong. */
export class DetectedUpstream implements McpUpstream {
  private speaker: Promise<Speaker> | undefined;
  /** The speaker (client for one protocol era), after the promise `speaker` has resolved. */
  private found: Speaker | undefined;
  private readonly closing = new AbortController();
  private lastId = 0;
  private readonly options: SpeakerOptions;

  constructor(options: UpstreamOptions) {
    this.options = {
      ...options,
      way: new HttpWay(options),
      nextId: () => (this.lastId += 1),
      closing: this.closing.signal,
    };
    const speaker = remembered(this.options);
    if (speaker === undefined) return;
    this.speaker = Promise.resolve(speaker);
    this.found = speaker;
  }

  discover(signal?: AbortSignal): Promise<DiscoveredServer> {
    return this.speaking(signal, async (speaker) => speaker.server ?? speaker.discover(signal));
  }

  exchange(request: UpstreamRequest, on: ExchangeOptions): Promise<UpstreamAnswer> {
    // A canceled continuation is passed to the speaker, which must cancel the call that waits for input.
    const isContinuation = request.continuation !== undefined;
    const signal = isContinuation ? undefined : on.signal;
    if (isContinuation && this.closing.signal.aborted) return Promise.reject(closedFault(true));
    return this.speaking(signal, (speaker) => speaker.exchange(request, on));
  }

  subscribe(filter: SubscriptionFilter, on: SubscriptionOptions): Promise<SubscriptionFilter> {
    return this.speaking(on.signal, (speaker) => speaker.subscribe(filter, on));
  }

  async rootsChanged(): Promise<void> {
    const speaker = await this.speaker?.catch(() => undefined);
    await speaker?.rootsChanged();
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.found = undefined;
    const speaker = await this.speaker?.catch(() => undefined);
    await speaker?.close();
    this.options.way.close();
  }

  /**
   * Runs `work` with the current speaker. If the server turns out to have another era, runs `work` once more
   * with a speaker of that era.
   */
  private async speaking<T>(
    signal: AbortSignal | undefined,
    work: (speaker: Speaker) => Promise<T>,
  ): Promise<T> {
    const used = this.current();
    const speaker = await (signal?.aborted === true || this.found === undefined
      ? unlessCancelled(used, signal)
      : this.found);
    try {
      return await work(speaker);
    } catch (error) {
      if (!(error instanceof EraMismatch)) throw error;
      if (this.speaker === used) {
        this.speaker = undefined;
        this.found = undefined;
        void speaker.close();
      }
      try {
        return await work(await unlessCancelled(this.current(), signal));
      } catch (second) {
        throw second instanceof EraMismatch ? notSent(second.fault) : second;
      }
    }
  }

  private current(): Promise<Speaker> {
    if (this.closing.signal.aborted) return Promise.reject(closedFault(false));
    if (this.speaker !== undefined) return this.speaker;
    const asked = detectSpeaker(this.options).catch((error: unknown) => {
      throw notSent(error);
    });
    this.speaker = asked;
    void this.remember(asked);
    return asked;
  }

  /** Stores the result of a detection. After a failure, the next request begins a new detection. */
  private async remember(asked: Promise<Speaker>): Promise<void> {
    try {
      const speaker = await asked;
      if (this.speaker === asked && !this.closing.signal.aborted) this.found = speaker;
    } catch {
      if (this.speaker === asked) this.speaker = undefined;
    }
  }
}

function remembered(options: SpeakerOptions): Speaker | undefined {
  const { era, transport } = options;
  if (era === undefined || Date.now() - era.at.getTime() > REMEMBERED_MS) return undefined;
  return speakerFor(era, transport, options);
}

function speakerFor(
  { era, revision }: RememberedEra,
  transport: UpstreamOptions['transport'],
  options: SpeakerOptions,
): Speaker | undefined {
  if (era === 'modern')
    return isModernRevision(revision) && transport !== 'sse'
      ? new ModernSpeaker(options, revision)
      : undefined;
  if (!isLegacyRevision(revision)) return undefined;
  // A remembered 2024-11-05 means the transport HTTP+SSE, even if another revision was negotiated over it.
  const isSse = revision === '2024-11-05';
  if (isSse ? transport === 'streamable-http' : transport === 'sse') return undefined;
  return new LegacySpeaker(options, isSse ? 'sse' : 'streamable-http');
}

/** Ends only this caller's wait when `signal` aborts, because other callers may wait for the same work. */
function unlessCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const cancel = (): void =>
      reject(new UpstreamFault('cancelled', 'The request was cancelled.', { isSent: false }));
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}
