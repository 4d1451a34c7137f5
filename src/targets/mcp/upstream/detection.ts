import { NEWEST_MODERN, isLegacyRevision } from '../protocol/revisions';
import { isModernErrorCode } from '../protocol/rpc-errors';
import { type UpstreamError, UpstreamFault } from './contract';
import { LegacySpeaker } from './legacy-speaker';
import { ModernSpeaker, discoveredOf, supportedIn } from './modern-speaker';
import { EraMismatch, type Speaker, type SpeakerOptions } from './speaker';

/**
 * Asks a server what it speaks: `server/discover` first, then `initialize`, then the stream of HTTP+SSE (2026-07-28, streamable HTTP,
 * "Backward Compatibility"). An error that only modern servers send never leads to the legacy era, unless it names no modern revision.
 * @throws UpstreamFault
 */
export async function detectSpeaker(options: SpeakerOptions): Promise<Speaker> {
  const { transport } = options;
  let speaker = transport === 'sse' ? undefined : await modern(options);
  let first: UpstreamFault | undefined;
  if (speaker === undefined && transport !== 'sse') {
    const found = await legacy(options, 'streamable-http');
    if (found instanceof UpstreamFault) first = found;
    else speaker = found;
  }
  if (speaker === undefined && transport !== 'streamable-http') {
    const found = await legacy(options, 'sse');
    if (!(found instanceof UpstreamFault)) {
      options.remember('legacy', '2024-11-05');
      return found;
    }
    first ??= found;
  }
  const { server } = speaker ?? {};
  if (speaker === undefined || server === undefined)
    throw (
      first ??
      new UpstreamFault(
        'refused',
        'The MCP server speaks no revision of the protocol that the gateway knows.',
      )
    );
  options.remember(server.era, server.revision);
  return speaker;
}

/**
 * Undefined: the server is a legacy one.
 * @param mayRepeat whether a server that refuses the revision, and names it as supported, is asked once more
 */
async function modern(options: SpeakerOptions, mayRepeat = true): Promise<Speaker | undefined> {
  const speaker = new ModernSpeaker(options, NEWEST_MODERN);
  try {
    const answer = await speaker.exchange(
      { method: 'server/discover', params: {} },
      { signal: options.closing, notify: () => undefined },
    );
    if (answer.kind === 'result') {
      speaker.server = discoveredOf(answer.result, NEWEST_MODERN);
      return speaker.server === undefined ? undefined : speaker;
    }
    if (answer.kind === 'error' && isModernErrorCode(answer.error.code)) throw refusedBy(answer.error);
    return undefined;
  } catch (error) {
    if (error instanceof EraMismatch) {
      if (error.error === undefined) return undefined;
      const { modern: mutual, all } = supportedIn(error.error.data);
      // A server of both eras that lacks our modern revision names the legacy ones that it has.
      if (mutual === undefined && all.some(isLegacyRevision)) return undefined;
      if (mutual !== undefined && mayRepeat) return modern(options, false);
      throw refusedBy(error.error);
    }
    // Some legacy servers answer an unknown method with a page, or with something that is not JSON-RPC.
    if (error instanceof UpstreamFault && error.reason === 'malformed') return undefined;
    throw error;
  }
}

function refusedBy({ code }: UpstreamError): UpstreamFault {
  return new UpstreamFault(
    'refused',
    `The MCP server refuses what every client of the modern protocol sends (error ${code}).`,
  );
}

/** @returns the fault when the server does not have this transport */
async function legacy(
  options: SpeakerOptions,
  transport: 'streamable-http' | 'sse',
): Promise<Speaker | UpstreamFault> {
  const speaker = new LegacySpeaker(options, transport);
  try {
    await speaker.discover();
    return speaker;
  } catch (error) {
    if (error instanceof EraMismatch) return error.fault;
    throw error;
  }
}
