import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RecorderSettings } from '../../platform/config/groups';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import type { Target } from '../../gate/ports/target-directory';
import { Journal } from '../journal/journal';
import { probeJournal } from '../journal/journal-probe';
import { ByteSemaphore } from '../../kernel/async/byte-semaphore';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import type { RecordingPipeline } from './event-writer';
import type { RecordingPolicy } from './recorded-trail';
import { RecordingStore } from './recording-store';
import { Shipper } from './shipper';

const PROBE_EVERY_MS = 1_000;

/** Parts that all recordings of this gateway share: journal, shipper, store and memory of pending events. */
@Injectable()
export class GatewayPipeline implements RecordingPipeline, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(GatewayPipeline.name);
  readonly journal: Journal;
  readonly memory: ByteSemaphore;
  private readonly probing: PeriodicTask;

  constructor(
    readonly store: RecordingStore,
    readonly shipper: Shipper,
    private readonly settings: RecorderSettings,
    feed: ChangeFeed,
  ) {
    this.journal = new Journal(join(settings.journalDir, feed.gatewayId), feed.gatewayId);
    this.memory = new ByteSemaphore(settings.bufferMb * 1024 * 1024);
    this.probing = new PeriodicTask({
      everyMs: PROBE_EVERY_MS,
      when: () => this.journal.fault !== undefined,
      work: () => this.journal.probe(),
      onError: (message) => this.log.warn(`The journal could not be tested: ${message}`),
    });
  }

  /** Starts to probe a failed journal every second. */
  onApplicationBootstrap(): void {
    this.probing.start();
  }

  /** Stores pending events. Events that the database refuses stay in the journal until the next start. */
  async onApplicationShutdown(): Promise<void> {
    await this.probing.stop();
    await this.shipper.stop();
    await this.journal.close();
    await this.store.end();
  }

  /**
   * Returns the recording policy for sessions on the target. The connection's mode, if set, replaces the
   * gateway's mode.
   */
  policyFor({ recording: { mode, scope } }: Target): RecordingPolicy {
    return { mode: mode ?? this.settings.mode, scope };
  }

  /** Checks whether a journal can be written to the journal directory. Returns the reason if it cannot. */
  probe(): Promise<string | undefined> {
    return probeJournal(this.settings.journalDir);
  }
}
