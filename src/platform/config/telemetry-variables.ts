import { z } from 'zod';
import { flag, httpUrl, keyValues, readableFile, wholeNumber } from './values';

const exporter = z.enum(['otlp', 'none']);

/** The environment variables of OpenTelemetry, as its specification names them; see `variables.ts`. */
export const telemetryVariables = {
  OTEL_SDK_DISABLED: flag.default(false).describe('`true`: nothing is sent by OTLP, whatever else is set.'),
  OTEL_SERVICE_NAME: z
    .string()
    .default('access-gateway')
    .describe('Name of this gateway in all that is sent by OTLP, and `APP-NAME` in syslog.'),
  OTEL_RESOURCE_ATTRIBUTES: keyValues
    .optional()
    .describe('Attributes of all that is sent by OTLP: `key=value`, comma-separated.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe(
      'Base URL of an OpenTelemetry collector (OTLP over HTTP), for example `http://localhost:4318`. With it, events and lines of the audit log go to `v1/logs` below it, and spans to `v1/traces`. Plain http and private addresses other than this machine need `EXPORT_ALLOWED_HOSTS`.',
    ),
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: httpUrl
    .optional()
    .describe('The whole URL for events, instead of `v1/logs` below the base URL.'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl
    .optional()
    .describe('The whole URL for spans, instead of `v1/traces` below the base URL.'),
  OTEL_EXPORTER_OTLP_HEADERS: keyValues
    .optional()
    .describe(
      'Headers of requests to the collector, `key=value`, comma-separated, values URL-encoded; for credentials.',
    ),
  OTEL_EXPORTER_OTLP_LOGS_HEADERS: keyValues
    .optional()
    .describe('The same for events, and instead of those of the same name.'),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: keyValues
    .optional()
    .describe('The same for spans, and instead of those of the same name.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/protobuf', 'http/json'], 'must be http/protobuf or http/json: gRPC is not spoken')
    .default('http/protobuf')
    .describe('`http/protobuf` or `http/json`.'),
  OTEL_EXPORTER_OTLP_COMPRESSION: z
    .enum(['none', 'gzip'])
    .default('none')
    .describe('`gzip` compresses requests to the collector.'),
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumber(1, 30_000)
    .default(10_000)
    .describe('Milliseconds for one request to the collector.'),
  OTEL_EXPORTER_OTLP_CERTIFICATE: readableFile
    .optional()
    .describe('File with the certificate authority of the collector, PEM. Default: those of Node.js.'),
  OTEL_LOGS_EXPORTER: exporter.default('otlp').describe('`none`: no events and no log by OTLP.'),
  OTEL_TRACES_EXPORTER: exporter.default('otlp').describe('`none`: no spans by OTLP.'),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on')
    .describe(
      'Which requests are traced: all, none, or a part of them; `parentbased_…` only where the caller has not decided by `traceparent`.',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number from 0 to 1')
    .min(0)
    .max(1)
    .default(1)
    .describe('That part for `traceidratio`, from 0 to 1.'),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(1, 60_000)
    .default(5_000)
    .describe('Milliseconds that spans wait for others, to be sent together.'),
  OTEL_BSP_MAX_QUEUE_SIZE: wholeNumber(1, 100_000)
    .default(2_048)
    .describe('Spans that wait at most; more are dropped.'),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: wholeNumber(1, 10_000)
    .default(512)
    .describe('Spans of one request to the collector at most.'),
  LOG_OTLP: flag
    .default(false)
    .describe(
      '`true`: the lines of the log go to the OpenTelemetry collector, too, with the trace to which they belong.',
    ),
};
