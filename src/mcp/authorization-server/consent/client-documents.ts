import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { parseJson } from '../../../kernel/json/json';
import { McpSettings } from '../../../platform/config/groups';
import { Semaphore } from '../../../kernel/async/semaphore';
import { checkedRequestOptions } from '../../../platform/outbound/checked-address';
import { type Client, readMetadata } from '../protocol/client-metadata';
import { PageFault } from '../../../platform/http/pages/page-fault';
import { OAuthFault } from '../protocol/oauth-fault';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';
import { failOnUpgrade } from '../../../platform/outbound/refused-upgrades';

const ANSWER_WITHIN_MS = 5_000;
/**
 * Maximum size of a client's metadata document. The draft of the specification recommends 5 kB, but real
 * documents with many redirect URIs are a little larger.
 */
const MAX_BYTES = 16 * 1024;
const HEADER_BYTES = 16 * 1024;
const CACHED = 500;
const CACHED_MS = 60_000;
/** Maximum number of documents that are fetched concurrently, for all callers. */
const FETCHED_AT_ONCE = 8;
const MAX_URL = 2048;

/**
 * Whether a client id has the form of a metadata document's URL
 * (draft-ietf-oauth-client-id-metadata-document, section 3): https, with a path, without dot segments,
 * fragment and user, and exactly as a URL parser would write it.
 */
export function isDocumentUrl(clientId: string): boolean {
  if (clientId.length > MAX_URL || !clientId.startsWith('https://') || !URL.canParse(clientId)) return false;
  const url = new URL(clientId);
  return (
    url.href === clientId &&
    url.pathname !== '/' &&
    url.username === '' &&
    url.password === '' &&
    !clientId.includes('#') &&
    !/%2e/i.test(url.pathname)
  );
}

/**
 * Fetches the metadata documents of clients whose id is a URL. Connects only to checked addresses, and
 * follows no redirect. Documents are cached for a minute; failures are not cached.
 */
@Injectable()
export class ClientDocuments {
  private readonly log = new Logger(ClientDocuments.name);
  private readonly cache = new LRUCache<string, Client>({ ...entriesAtMost(CACHED), ttl: CACHED_MS });
  private readonly semaphore = new Semaphore(FETCHED_AT_ONCE);

  constructor(private readonly settings: McpSettings) {}

  /**
   * @param url a URL that `isDocumentUrl` accepts. @throws PageFault with a message that reveals nothing
   * about the gateway's network.
   */
  async find(url: string): Promise<Client> {
    const cached = this.cache.get(url);
    if (cached !== undefined) return cached;
    try {
      const client = clientIn(url, await this.semaphore.run(() => this.fetch(new URL(url))));
      this.cache.set(url, client);
      return client;
    } catch (error) {
      this.log.warn({ err: error, url }, 'The metadata document of an MCP client could not be used');
      const why = error instanceof OAuthFault ? ` ${sentence(error.message)}` : '';
      throw new PageFault(
        'This application could not be checked',
        `Its metadata document at ${new URL(url).host} could not be read, or is not valid.${why} Tell the maker of the application.`,
      );
    }
  }

  private async fetch(url: URL): Promise<Buffer> {
    const way = await checkedRequestOptions(url.hostname, this.settings.allowedHosts);
    return new Promise((resolve, reject) => {
      const call = request(
        url,
        {
          ...way,
          headers: { accept: 'application/json', 'accept-encoding': 'identity' },
          signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
          maxHeaderSize: HEADER_BYTES,
        },
        (response) => void contentOf(response).then(resolve, reject),
      );
      call.on('error', reject);
      failOnUpgrade(call, reject);
      call.end();
    });
  }
}

async function contentOf(response: IncomingMessage): Promise<Buffer> {
  try {
    if (response.statusCode !== 200)
      throw new OAuthFault('invalid_request', 'it is not answered with status 200');
    if (!/^application\/([\w.-]+\+)?json *(;|$)/i.test(response.headers['content-type'] ?? ''))
      throw new OAuthFault('invalid_request', 'it is not sent as application/json');
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new OAuthFault('invalid_request', `it is larger than ${MAX_BYTES} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    response.destroy();
  }
}

/** @throws OAuthFault */
function clientIn(url: string, content: Buffer): Client {
  const document = parsed(content);
  const client = readMetadata(document);
  const {
    client_id: id,
    token_endpoint_auth_method: method,
    client_secret: secret,
  } = document as Record<string, unknown>;
  if (id !== url) throw new OAuthFault('invalid_client_metadata', 'its client_id is not its own URL');
  // The document is public, so it cannot contain a client secret. Methods other than `none` are refused.
  if (secret !== undefined || (method !== undefined && method !== 'none'))
    throw new OAuthFault('invalid_client_metadata', 'its token_endpoint_auth_method must be none');
  return { id: url, ...client };
}

function parsed(content: Buffer): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch {
    throw new OAuthFault('invalid_client_metadata', 'it is not JSON');
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
