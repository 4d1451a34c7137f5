import { z } from 'zod';
import { hosts, syslogUrl } from './values';

/** The environment variables of the export of events; see `variables.ts`. */
export const exportVariables = {
  SYSLOG_URL: syslogUrl
    .optional()
    .describe(
      'Syslog receiver of events and lines of the audit log: `tls://host:6514`; `tcp://host:514` only on this machine, or where `EXPORT_ALLOWED_HOSTS` names it.',
    ),
  SYSLOG_CA: z
    .string()
    .optional()
    .describe('Certificate authority of the syslog receiver, PEM. Default: those of Node.js.'),
  SYSLOG_CERT: z
    .string()
    .optional()
    .describe('Certificate with which the gateway shows the syslog receiver who it is, PEM.'),
  SYSLOG_KEY: z.string().optional().describe('Private key of `SYSLOG_CERT`, PEM, without a passphrase.'),
  EXPORT_ALLOWED_HOSTS: hosts
    .default([])
    .describe(
      'Host names and addresses of syslog receivers and OpenTelemetry collectors that may be private, comma-separated; plain TCP and HTTP is allowed for these. This machine (`localhost`, `127.0.0.1`, `::1`) always is.',
    ),
};
