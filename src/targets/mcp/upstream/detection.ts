import { NEWEST_MODERN, isLegacyRevision } from '../protocol/revisions';
import { isModernErrorCode } from '../protocol/rpc-errors';
import { type UpstreamError, UpstreamFault } from './contract';
import { LegacySpeaker } from './legacy-speaker';
import { ModernSpeaker, discoveredOf, supportedIn } from './modern-speaker';
import { EraMismatch, type Speaker, type SpeakerOptions } from './speaker';

/**
 * Detects the era of a server. Tries the era of the client first, because only this era needs no translation,
 * and a server may support less in the other era.
 *
 * For modern clients, tries `server/discover`, then `initialize`, then the stream of HTTP+SSE (2026-07-28,
 * streamable HTTP, "Backward Compatibility"). After an error that only modern servers send, tries the legacy
 * era only if the error names legacy revisions and no modern revision that the gateway supports.
 * For legacy clients, tries `initialize`, then `server/discover`, then HTTP+SSE.
 * @throws UpstreamFault
 */
export async function detectSpeaker(options: SpeakerOptions): Promise<Speaker> {
  const { transport, client } = options;
  const isForLegacy = client.era === 'legacy';
  const faults: UpstreamFault[] = [];
  let speaker: Speaker | undefined;
  if (transport !== 'sse')
    speaker = isForLegacy ? await legacyFirst(options, faults) : await modernFirst(options, faults);
  if (speaker === undefined && transport !== 'streamable-http') {
    const found = await legacy(options, 'sse');
    if (!(found instanceof UpstreamFault)) {
      options.remember('legacy', '2024-11-05');
      return found;
    }
    faults.push(found);
  }
  const { server } = speaker ?? {};
  if (speaker === undefined || server === undefined)
    throw (
      faults[0] ??
      new UpstreamFault(
        'refused',
        'The MCP server speaks no revision of the protocol that the gateway knows.',
      )
    );
  options.remember(server.era, server.revision);
  return speaker;
}

/** @param faults receives the reason why the server does not have streamable HTTP of the legacy era */
async function modernFirst(options: SpeakerOptions, faults: UpstreamFault[]): Promise<Speaker | undefined> {
  const speaker = await modern(options);
  if (speaker !== undefined) return speaker;
  const found = await legacy(options, 'streamable-http');
  if (!(found instanceof UpstreamFault)) return found;
  faults.push(found);
  return undefined;
}

/**
 * Chooses the legacy era if the server keeps sessions. Without a session, a legacy server cannot send
 * requests or notices of changes to its clients, so the modern era is better if the server has both.
 */
async function legacyFirst(options: SpeakerOptions, faults: UpstreamFault[]): Promise<Speaker | undefined> {
  const found = await legacy(options, 'streamable-http').catch((error: unknown) => {
    if (error instanceof UpstreamFault && error.reason === 'malformed') return error;
    throw error;
  });
  if (!(found instanceof UpstreamFault)) {
    if (found.hasSession) return found;
    const better = await modern(options).catch(() => undefined);
    if (better === undefined) return found;
    await found.close();
    return better;
  }
  faults.push(found);
  return modern(options);
}

/**
 * Connects with the modern era. Resolves with undefined if the server is a legacy server.
 * @param mayRepeat whether to try once more if the server refuses the revision, but names it as supported
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
      // A server of both eras that does not support our modern revision names its legacy revisions instead.
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

/** @returns the speaker of the legacy era, or the fault if the server does not have this transport */
async function legacy(
  options: SpeakerOptions,
  transport: 'streamable-http' | 'sse',
): Promise<LegacySpeaker | UpstreamFault> {
  const speaker = new LegacySpeaker(options, transport);
  try {
    await speaker.discover();
    return speaker;
  } catch (error) {
    if (error instanceof EraMismatch) return error.fault;
    throw error;
  }
}
