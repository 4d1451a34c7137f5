import type { IncomingHttpHeaders } from 'node:http';
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import type { TelemetrySettings } from '../config/groups';
import { PROGRAM_VERSION } from '../../kernel/runtime/program-version';
import type { OpenSpan, SpanFacts, SpanName } from '../../kernel/runtime/spans';
import { traceContextOf, traceparentIn } from '../../kernel/runtime/trace-context';
import { OtlpBatches } from './otlp-batches';
import { resourceAttributes } from './resource';
import { samplerOf } from './sampler';
import type { SignalWay } from './signal-way';

const SCOPE = 'access-gateway';
/** Kinds of spans. `CLIENT` spans are work at the target, which may have its own spans. */
const KINDS: Readonly<Record<SpanName, SpanKind>> = {
  'gateway.access': SpanKind.INTERNAL,
  'gateway.judge': SpanKind.INTERNAL,
  'gateway.record': SpanKind.INTERNAL,
  'gateway.open_recording': SpanKind.INTERNAL,
  'gateway.dial': SpanKind.CLIENT,
  'gateway.call': SpanKind.CLIENT,
  'gateway.script': SpanKind.CLIENT,
  postgresql: SpanKind.CLIENT,
};

/** Makes spans with the SDK of OpenTelemetry, and sends them in batches. Loaded only where traces are on. */
export class Tracing {
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  constructor(settings: TelemetrySettings, way: SignalWay) {
    const serializer = way.sender.isJson ? JsonTraceSerializer : ProtobufTraceSerializer;
    const exporter = new OtlpBatches<ReadableSpan>(way, (spans) => serializer.serializeRequest(spans));
    this.provider = new TracerProvider({
      resource: resourceFromAttributes(resourceAttributes(settings)),
      sampler: samplerOf(settings),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          scheduledDelayMillis: settings.spansEveryMs,
          maxQueueSize: settings.mostSpans,
          maxExportBatchSize: Math.min(settings.mostSpansAtOnce, settings.mostSpans),
        }),
      ],
    });
    this.tracer = this.provider.getTracer(SCOPE, PROGRAM_VERSION);
  }

  /**
   * Begins the span of a request, in the caller's trace if the request names one. It starts without
   * attributes, because all samplers decide by ids only.
   */
  begin(headers: IncomingHttpHeaders, name: string): OpenSpan {
    const caller = traceContextOf(traceparentIn(headers) ?? '');
    const parent =
      caller === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, {
            traceId: caller.traceId,
            spanId: caller.spanId,
            traceFlags: caller.flags,
            isRemote: true,
          });
    return new SdkSpan(this.tracer.startSpan(name, { kind: SpanKind.SERVER }, parent), this.tracer);
  }

  /** Sends the queued spans and ends the export. */
  async stop(): Promise<void> {
    await this.provider.shutdown();
  }
}

class SdkSpan implements OpenSpan {
  constructor(
    private readonly span: Span,
    private readonly tracer: Tracer,
  ) {}

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  get spanId(): string {
    return this.span.spanContext().spanId;
  }

  get isRecorded(): boolean {
    return this.span.isRecording();
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${(traceFlags & 1) === 1 ? '01' : '00'}`;
  }

  child(name: SpanName, facts: SpanFacts): OpenSpan {
    const parent = trace.setSpan(ROOT_CONTEXT, this.span);
    const options = { kind: KINDS[name], attributes: { ...facts } };
    return new SdkSpan(this.tracer.startSpan(name, options, parent), this.tracer);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  note(facts: SpanFacts): void {
    this.span.setAttributes({ ...facts });
  }

  end(errorType?: string): void {
    if (errorType !== undefined) {
      this.span.setAttribute('error.type', errorType);
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}
