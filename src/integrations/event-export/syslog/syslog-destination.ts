import type { SyslogSettings } from '../../../platform/config/groups';
import type { Destination, Taken } from '../contract/destination';
import type { ExportedEvent } from '../contract/exported-event';
import { sendSyslog } from './syslog-connection';
import { type SyslogOrigin, framed, syslogMessage } from './syslog-message';

/** Syslog (RFC 5424) over TLS (RFC 5425), or over plain TCP (RFC 6587). */
export class SyslogDestination implements Destination {
  readonly name = 'syslog';
  readonly address: string;

  constructor(
    private readonly settings: SyslogSettings,
    private readonly allowedHosts: readonly string[],
    private readonly origin: SyslogOrigin,
  ) {
    const { host = '', port = 0, isTls = true } = settings.receiver ?? {};
    this.address = `${isTls ? 'tls' : 'tcp'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  async send(events: readonly ExportedEvent[], signal: AbortSignal): Promise<Taken> {
    const frames = events.map((event) => framed(syslogMessage(event, this.origin)));
    await sendSyslog(this.settings, this.allowedHosts, frames, signal);
    return { refused: 0 };
  }
}
