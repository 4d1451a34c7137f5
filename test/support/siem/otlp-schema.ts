/**
 * A field of an OTLP 1.x message for logs or traces: name, type, and whether the field may occur several
 * times.
 */
type Field = readonly [name: string, type: FieldType, repeated?: 'repeated'];
type FieldType = 'string' | 'bytes' | 'bool' | 'varint' | 'double' | 'fixed32' | 'fixed64' | MessageName;
export type MessageName = keyof typeof messages;

const messages = {
  ExportLogs: { 1: ['resourceLogs', 'ResourceLogs', 'repeated'] },
  ResourceLogs: {
    1: ['resource', 'Resource'],
    2: ['scopeLogs', 'ScopeLogs', 'repeated'],
    3: ['schemaUrl', 'string'],
  },
  ScopeLogs: {
    1: ['scope', 'Scope'],
    2: ['logRecords', 'LogRecord', 'repeated'],
    3: ['schemaUrl', 'string'],
  },
  LogRecord: {
    1: ['timeUnixNano', 'fixed64'],
    2: ['severityNumber', 'varint'],
    3: ['severityText', 'string'],
    5: ['body', 'AnyValue'],
    6: ['attributes', 'KeyValue', 'repeated'],
    7: ['droppedAttributesCount', 'varint'],
    8: ['flags', 'fixed32'],
    9: ['traceId', 'bytes'],
    10: ['spanId', 'bytes'],
    11: ['observedTimeUnixNano', 'fixed64'],
    12: ['eventName', 'string'],
  },
  ExportTraces: { 1: ['resourceSpans', 'ResourceSpans', 'repeated'] },
  ResourceSpans: {
    1: ['resource', 'Resource'],
    2: ['scopeSpans', 'ScopeSpans', 'repeated'],
    3: ['schemaUrl', 'string'],
  },
  ScopeSpans: {
    1: ['scope', 'Scope'],
    2: ['spans', 'Span', 'repeated'],
    3: ['schemaUrl', 'string'],
  },
  Span: {
    1: ['traceId', 'bytes'],
    2: ['spanId', 'bytes'],
    3: ['traceState', 'string'],
    4: ['parentSpanId', 'bytes'],
    5: ['name', 'string'],
    6: ['kind', 'varint'],
    7: ['startTimeUnixNano', 'fixed64'],
    8: ['endTimeUnixNano', 'fixed64'],
    9: ['attributes', 'KeyValue', 'repeated'],
    10: ['droppedAttributesCount', 'varint'],
    11: ['events', 'SpanEvent', 'repeated'],
    12: ['droppedEventsCount', 'varint'],
    13: ['links', 'SpanLink', 'repeated'],
    14: ['droppedLinksCount', 'varint'],
    15: ['status', 'SpanStatus'],
    16: ['flags', 'fixed32'],
  },
  SpanStatus: { 2: ['message', 'string'], 3: ['code', 'varint'] },
  // The gateway sends neither events nor links of spans.
  SpanEvent: {},
  SpanLink: {},
  Resource: { 1: ['attributes', 'KeyValue', 'repeated'], 2: ['droppedAttributesCount', 'varint'] },
  Scope: {
    1: ['name', 'string'],
    2: ['version', 'string'],
    3: ['attributes', 'KeyValue', 'repeated'],
    4: ['droppedAttributesCount', 'varint'],
  },
  KeyValue: { 1: ['key', 'string'], 2: ['value', 'AnyValue'] },
  AnyValue: {
    1: ['stringValue', 'string'],
    2: ['boolValue', 'bool'],
    3: ['intValue', 'varint'],
    4: ['doubleValue', 'double'],
    5: ['arrayValue', 'ArrayValue'],
    6: ['kvlistValue', 'KeyValueList'],
    7: ['bytesValue', 'bytes'],
  },
  ArrayValue: { 1: ['values', 'AnyValue', 'repeated'] },
  KeyValueList: { 1: ['values', 'KeyValue', 'repeated'] },
} as const;

/** A decoded message with the field names of OTLP's JSON. Bytes are hex, 64-bit numbers decimal texts. */
export type Decoded = { [name: string]: Decoded | Decoded[] | string | number | boolean };

export function fieldsOf(message: MessageName): Readonly<Record<number, Field>> {
  return messages[message];
}

export function isMessage(type: string): type is MessageName {
  return type in messages;
}
