import { once } from 'node:events';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { eventually } from '../eventually';
import type { TestCertificate } from '../tls';
import { checkJson, decodeProtobuf, listOf, plainPairs, plainValue, textIn } from './otlp-decode';
import type { Decoded } from './otlp-schema';

/** A log record, with its attributes as plain values. */
export interface ReceivedRecord {
  readonly id: string;
  readonly position: number;
  readonly type: string;
  readonly scope: string;
  readonly severity: number;
  readonly time: string;
  /** Id of the trace; empty if the record belongs to none. */
  readonly traceId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A span, with its attributes as plain values. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Id of the parent span; empty if the span has none. */
  readonly parentId: string;
  readonly name: string;
  /** Numbers of OTLP: 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly resource: Readonly<Record<string, unknown>>;
}

type OtlpAnswer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: Buffer | string }
  | 'nothing';

/** A test collector for OpenTelemetry. It strictly decodes OTLP over HTTP, as protobuf or JSON. */
export class OtlpReceiver {
  readonly records: ReceivedRecord[] = [];
  readonly spans: ReceivedSpan[] = [];
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly count: number;
  }[] = [];
  readonly faults: string[] = [];
  /** All received data as text, so that tests can search it for content that must not be sent. */
  readonly texts: string[] = [];
  connections = 0;
  /** Returns the answer to each request. Data are kept only if the answer's status is below 300. */
  answering: (count: number) => OtlpAnswer = () => ({ status: 200 });

  private constructor(
    private readonly server: Server,
    private readonly scheme: string,
  ) {}

  static async start(certificate?: TestCertificate, port = 0): Promise<OtlpReceiver> {
    const server = certificate === undefined ? createServer() : createTlsServer(certificate);
    const receiver = new OtlpReceiver(server, certificate === undefined ? 'http' : 'https');
    server.on('connection', () => (receiver.connections += 1));
    server.on(
      'request',
      (request: IncomingMessage, response: ServerResponse) => void receiver.take(request, response),
    );
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.scheme}://127.0.0.1:${this.port}`;
  }

  of(...types: string[]): ReceivedRecord[] {
    return this.records.filter(({ type }) => types.includes(type));
  }

  async has(count: number, types: readonly string[], withinMs?: number): Promise<ReceivedRecord[]> {
    await eventually(
      `${count} of ${types.join(', ')}`,
      async () => this.of(...types).length >= count,
      withinMs,
    );
    return this.of(...types);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    try {
      this.answer(request, Buffer.concat(chunks), response);
    } catch (error) {
      this.faults.push(String(error));
      response.writeHead(400).end();
    }
  }

  private answer({ url = '', headers }: IncomingMessage, sent: Buffer, response: ServerResponse): void {
    const bytes = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    const isJson = headers['content-type'] === 'application/json';
    if (!isJson && headers['content-type'] !== 'application/x-protobuf')
      throw new Error(`no type of OTLP: ${headers['content-type']}`);
    const kind = url.endsWith('/v1/traces') ? 'ExportTraces' : 'ExportLogs';
    const decoded = isJson ? checkJson(JSON.parse(bytes.toString()), kind) : decodeProtobuf(bytes, kind);
    const [records, spans] = [recordsOf(decoded), spansOf(decoded)];
    const count = records.length + spans.length;
    this.requests.push({ path: url, headers, count });
    const answer = this.answering(count);
    if (answer === 'nothing') return;
    if (answer.status < 300) {
      this.records.push(...records);
      this.spans.push(...spans);
      this.texts.push(JSON.stringify(decoded));
    }
    response
      .writeHead(answer.status, { 'content-type': headers['content-type'], ...answer.headers })
      .end(answer.body);
  }
}

function spansOf(decoded: Decoded): ReceivedSpan[] {
  return listOf(decoded, 'resourceSpans').flatMap((ofResource) =>
    listOf(ofResource, 'scopeSpans').flatMap((ofScope) =>
      listOf(ofScope, 'spans').map((span) => ({
        traceId: textIn(span, 'traceId'),
        spanId: textIn(span, 'spanId'),
        parentId: textIn(span, 'parentSpanId'),
        name: textIn(span, 'name'),
        kind: Number(span['kind']),
        attributes: plainPairs(listOf(span, 'attributes')),
        isError: Number((span['status'] as Decoded | undefined)?.['code'] ?? 0) === 2,
        resource: plainPairs(listOf(ofResource['resource'] as Decoded, 'attributes')),
      })),
    ),
  );
}

function recordsOf(decoded: Decoded): ReceivedRecord[] {
  return listOf(decoded, 'resourceLogs').flatMap((ofResource) =>
    listOf(ofResource, 'scopeLogs').flatMap((ofScope) =>
      listOf(ofScope, 'logRecords').map((record) => {
        const attributes = plainPairs(listOf(record, 'attributes'));
        return {
          id: String(attributes['log.record.uid']),
          position: Number(attributes['gateway.position']),
          type: textIn(record, 'eventName'),
          scope: textIn(ofScope['scope'] as Decoded, 'name'),
          severity: Number(record['severityNumber']),
          time: textIn(record, 'timeUnixNano'),
          traceId: textIn(record, 'traceId'),
          attributes,
          body: plainValue(record['body'] as Decoded),
          resource: plainPairs(listOf(ofResource['resource'] as Decoded, 'attributes')),
        };
      }),
    ),
  );
}
