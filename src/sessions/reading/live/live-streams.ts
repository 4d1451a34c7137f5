import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Principals } from '../../../identity/auth/users/principals';
import { stoppingError } from '../../../kernel/app-error';
import { Quota } from '../../../kernel/async/quota';
import type { Principal } from '../../../kernel/principal';
import { mustExist } from '../../format/no-session';
import { RecordingReader } from '../../recording/recording-reader';
import { mustBeKept } from '../../recording/recording-removed';
import { SessionRow, type SessionKey } from '../../recording/session.entity';
import { VisibleSessions, mayReadRecording } from '../../list/visible-sessions';
import { LiveStream } from './live-stream';
import { type Position, positionAfter } from './position';

const STREAMS_EACH = 10;
/** Maximum streams on this gateway. Each of them queries the database four times a second. */
const STREAMS = 100;
/** Maximum recording chunks in one query. They stay in memory while a reader is slow. */
const CHUNKS_AT_ONCE = 2;

/** Live streams of recordings. They read only stored data, so any gateway may run the session. */
@Injectable()
export class LiveStreams implements OnModuleDestroy {
  private readonly places = new Quota(STREAMS_EACH, STREAMS, {
    own: `you follow ${STREAMS_EACH} sessions already`,
    all: 'too many sessions are being followed on this gateway',
    retryAfterSeconds: 5,
  });
  private readonly open = new Set<LiveStream>();
  private isStopping = false;

  constructor(
    @InjectRepository(SessionRow) private readonly stored: Repository<SessionRow>,
    private readonly sessions: VisibleSessions,
    private readonly recordings: RecordingReader,
    private readonly principals: Principals,
  ) {}

  /**
   * Opens the stream after the message with the id `lastEventId`.
   * @returns undefined if that message was the end message
   * @throws AppError `malformed`, `not_found`, `forbidden`; `too_many_requests` and `unavailable` while the
   * quota is used up
   */
  async of(actor: Principal, id: string, lastEventId: string | undefined): Promise<LiveStream | undefined> {
    const from = positionAfter(lastEventId);
    const session = await this.sessions.findReadable(actor, id);
    if (from === null) return undefined;
    mustBeKept(session);
    if (this.isStopping) throw stoppingError();
    return this.start(actor, session, from);
  }

  /** Ends all streams first when the gateway stops. Readers reconnect to another gateway. */
  onModuleDestroy(): void {
    this.isStopping = true;
    for (const stream of this.open) stream.close();
  }

  private start(actor: Principal, session: SessionRow, from: Position): LiveStream {
    const leave = this.places.acquire(actor.userId);
    const key = { orgId: session.orgId, id: session.id };
    const source = {
      state: () => this.state(key),
      chunks: (first: number) => this.recordings.chunks(key, { after: first - 1, atOnce: CHUNKS_AT_ONCE }),
    };
    const mayRead = async (): Promise<boolean> =>
      mayReadRecording(await this.principals.current(actor), session);
    const left = (): void => {
      this.open.delete(stream);
      leave();
    };
    const stream: LiveStream = new LiveStream(source, from, { mayRead, left });
    this.open.add(stream);
    return stream;
  }

  private async state(key: SessionKey): Promise<SessionRow> {
    const stored = await this.stored.findOne({
      select: {
        id: true,
        status: true,
        exitCode: true,
        endDate: true,
        chunkCount: true,
        recordingPurgedAt: true,
      },
      where: { ...key },
    });
    const session = mustExist(stored);
    mustBeKept(session);
    return session;
  }
}
