import type { ClientChannel, WindowChangeInfo } from 'ssh2';
import type { Session } from '../../../gate/session';
import { signalCommand } from '../../../targets/ssh/driver-parts';
import type { OpenSsh } from '../../../targets/ssh/open-ssh';
import { InputRefused } from './command-reader';
import type { RunningRequests } from '../channels/channel-requests';

/** Sizes of a terminal that is being resized: only the last one in this time is recorded and forwarded. */
const RESIZES_EVERY_MS = 200;

interface RecordedRequestsOptions {
  readonly server: OpenSsh;
  readonly program: ClientChannel;
  /** Called with an `InputRefused`, or with a fault of recording. */
  readonly failed: (error: unknown) => void;
}

/**
 * Requests of a client to a running program: sizes of its terminal, and signals. Each is recorded first, and
 * forwarded when its recording is durable.
 */
export class RecordedRequests implements RunningRequests {
  /** The last size of the terminal that is not recorded yet. */
  private newSize: WindowChangeInfo | undefined;
  private resizing: NodeJS.Timeout | undefined;
  /**
   * Signals whose recording is not durable yet. A system keeps a signal that is pending once, too; so a storm
   * of them fills no memory.
   */
  private readonly pending = new Set<string>();
  private isOver = false;

  constructor(
    private readonly session: Session,
    private readonly to: RecordedRequestsOptions,
  ) {}

  resize(size: WindowChangeInfo): void {
    if (this.isOver) return;
    this.newSize = size;
    if (this.resizing === undefined) this.sendSize();
  }

  signal(name: string): void {
    if (this.isOver || this.pending.has(name)) return;
    this.pending.add(name);
    void this.record(`signal ${name}\n`, () => {
      this.pending.delete(name);
      signalCommand(this.to.server.client, this.to.program, name);
    });
  }

  /** Forwards nothing more. */
  stop(): void {
    this.isOver = true;
    clearTimeout(this.resizing);
  }

  private sendSize(): void {
    this.resizing = undefined;
    const size = this.newSize;
    if (size === undefined) return;
    this.newSize = undefined;
    const { rows, cols, height, width } = size;
    void this.record(`resize ${cols}x${rows}\n`, () => this.to.program.setWindow(rows, cols, height, width));
    this.resizing = setTimeout(() => this.sendSize(), RESIZES_EVERY_MS);
  }

  private async record(recorded: string, forward: () => void): Promise<void> {
    try {
      const admission = await this.session.admitAhead({ kind: 'values', judged: [], recorded });
      if (admission.kind === 'refused') throw new InputRefused(admission.message);
      await this.session.inputsDurable();
      if (!this.isOver) forward();
    } catch (error) {
      if (!this.isOver) this.to.failed(error);
    }
  }
}
