import { ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import { JsonLogsSerializer, ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider, type ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { TelemetrySettings } from '../config/groups';
import { OtlpBatches } from './otlp-batches';
import { resourceAttributes } from './resource';
import type { SignalWay } from './signal-way';

/** Scope of log lines. Differs from the scope of events, so that a collector can separate the two. */
const SCOPE = 'access-gateway.log';

/** Severities of OpenTelemetry by the levels of pino. */
const SEVERITIES: Readonly<Record<number, { readonly number: number; readonly text: string }>> = {
  10: { number: 1, text: 'TRACE' },
  20: { number: 5, text: 'DEBUG' },
  30: { number: 9, text: 'INFO' },
  40: { number: 13, text: 'WARN' },
  50: { number: 17, text: 'ERROR' },
  60: { number: 21, text: 'FATAL' },
};

/** A line of the log, as pino writes it. */
interface LogLine {
  readonly level?: number;
  readonly time?: number;
  readonly msg?: string;
  readonly trace_id?: string;
  readonly span_id?: string;
  readonly [name: string]: unknown;
}

/** Sends log lines by OTLP, in batches. Loaded only if the export of the log is on. */
export class LogExport {
  private readonly provider: LoggerProvider;

  constructor(settings: TelemetrySettings, way: SignalWay) {
    const serializer = way.sender.isJson ? JsonLogsSerializer : ProtobufLogsSerializer;
    const exporter = new OtlpBatches<ReadableLogRecord>(way, (lines) => serializer.serializeRequest(lines));
    this.provider = new LoggerProvider({
      resource: resourceFromAttributes(resourceAttributes(settings)),
      processors: [new BatchLogRecordProcessor({ exporter, scheduledDelayMillis: 1_000 })],
    });
  }

  /** Queues one log line, which is a JSON object. */
  readonly take = (text: string): void => {
    const {
      level = 30,
      time = Date.now(),
      msg = '',
      trace_id,
      span_id,
      pid,
      hostname,
      ...others
    } = JSON.parse(text) as LogLine;
    const { number, text: severityText } = SEVERITIES[level] ?? { number: 9, text: 'INFO' };
    this.provider.getLogger(SCOPE).emit({
      timestamp: time,
      severityNumber: number,
      severityText,
      body: msg,
      attributes: { 'process.pid': pid, 'host.name': hostname, ...others } as Record<string, string>,
      ...(trace_id === undefined || span_id === undefined
        ? {}
        : {
            context: trace.setSpanContext(ROOT_CONTEXT, {
              traceId: trace_id,
              spanId: span_id,
              traceFlags: TraceFlags.SAMPLED,
            }),
          }),
    });
  };

  /** Sends the queued lines and ends the export. */
  async stop(): Promise<void> {
    await this.provider.shutdown();
  }
}
