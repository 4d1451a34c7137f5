import type { ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer';
import type { ExportedEvent, Severity } from '../contract/exported-event';

type LogRecord = Parameters<typeof ProtobufLogsSerializer.serializeRequest>[0][number];

/** Fields that all records of one sender share. Records are grouped by this object, so do not copy it. */
export type RecordOrigin = Pick<LogRecord, 'resource' | 'instrumentationScope'>;

/** Severity numbers of the log data model of OpenTelemetry. */
const SEVERITIES: Readonly<Record<Severity, { readonly number: number; readonly text: string }>> = {
  info: { number: 9, text: 'INFO' },
  notice: { number: 10, text: 'NOTICE' },
  warning: { number: 13, text: 'WARN' },
};

/**
 * Converts an event to a log record. `log.record.uid` is OpenTelemetry's name for the id by which receivers
 * drop duplicates.
 */
export function logRecord(event: ExportedEvent, origin: RecordOrigin, now: number): LogRecord {
  const { number, text } = SEVERITIES[event.severity];
  const facts = Object.entries(event.facts).map(([name, value]) => [`gateway.${name}`, value] as const);
  return {
    ...origin,
    hrTime: hrTimeOf(event.at.getTime()),
    hrTimeObserved: hrTimeOf(now),
    severityNumber: number,
    severityText: text,
    eventName: event.type,
    body: event.data as LogRecord['body'],
    attributes: {
      'log.record.uid': event.id,
      'gateway.position': event.position,
      'gateway.org': event.orgId,
      'gateway.summary': event.summary,
      ...Object.fromEntries(facts),
    },
    droppedAttributesCount: 0,
  };
}

/** Converts milliseconds to seconds and nanoseconds. */
function hrTimeOf(milliseconds: number): [number, number] {
  return [Math.floor(milliseconds / 1_000), (milliseconds % 1_000) * 1_000_000];
}
