import { Injectable } from '@nestjs/common';
import { readPool } from '../../platform/database/feed/database-metrics';
import { OTHER } from '../../platform/metrics/definition/definition';
import { Meter } from '../../platform/metrics/meter';
import { SESSION_PROTOCOLS } from '../../platform/metrics/tables/session-metrics';
import { GatewayPipeline } from '../recording/gateway-pipeline';
import { type LiveSession, LiveSessions } from '../recording/live-sessions';

/** Metrics of sessions and their recordings. */
@Injectable()
export class SessionMetrics {
  constructor(meter: Meter, live: LiveSessions, pipeline: GatewayPipeline) {
    if (!meter.isOn) return;
    countSessions(meter, live);
    readRecording(meter, pipeline);
    readPool(meter, 'recorder', pipeline.store.pool);
  }
}

function countSessions(meter: Meter, live: LiveSessions): void {
  const started = meter.counter('gateway_sessions_started_total');
  const ended = meter.counter('gateway_sessions_ended_total');
  const running = new Map<string, number>();
  for (const protocol of SESSION_PROTOCOLS)
    meter.read('gateway_sessions_running', { protocol }, () => running.get(protocol) ?? 0);
  const note = (protocol: string, by: 1 | -1): void =>
    void running.set(protocol, (running.get(protocol) ?? 0) + by);
  live.observe({
    starting: (session) => {
      const protocol = protocolOf(session);
      started.add({ protocol });
      note(protocol, 1);
      return (verdict) => {
        ended.add({ protocol, verdict });
        note(protocol, -1);
      };
    },
  });
}

/** Returns the protocol label. A target without a client protocol opens no client session. */
function protocolOf({ verb, target: { clientProtocol } }: LiveSession): string {
  return verb === 'exec' ? 'script' : (clientProtocol ?? OTHER);
}

function readRecording(meter: Meter, { shipper, journal, memory }: GatewayPipeline): void {
  meter.read('gateway_recording_events_received_total', {}, () => shipper.received);
  meter.read('gateway_recording_events_stored_total', {}, () => shipper.stored);
  meter.read('gateway_recording_sessions_waiting', {}, () => shipper.waiting);
  meter.read('gateway_recording_lag_seconds', {}, () => shipper.lagMs / 1_000);
  meter.read('gateway_recording_waiting_bytes', {}, () => memory.held);
  meter.read('gateway_recording_waiting_limit_bytes', {}, () => memory.limit);
  meter.read('gateway_recording_store_up', {}, () => Number(shipper.fault === undefined));
  meter.read('gateway_journal_up', {}, () => Number(journal.fault === undefined));
  meter.read('gateway_journal_faults_total', {}, () => journal.faults);
  meter.read('gateway_journal_written_bytes_total', {}, () => journal.writtenBytes);
  meter.read('gateway_journal_bytes', {}, () => journal.bytes);
}
