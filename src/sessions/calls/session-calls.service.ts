import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type PageQuery, pageOf, pageWindow } from '../../platform/http/dto/page';
import type { Principal } from '../../kernel/principal';
import { mustBeKept } from '../recording/recording-removed';
import { VisibleSessions } from '../list/visible-sessions';
import { type SessionCallPage, sessionCallView } from './session-call.dto';
import { SessionCall } from './session-call.entity';
import { StoredCallLog } from './stored-call-log';

/** Shows the calls of a session. */
@Injectable()
export class SessionCallsService {
  constructor(
    @InjectRepository(SessionCall) private readonly calls: Repository<SessionCall>,
    private readonly sessions: VisibleSessions,
    private readonly log: StoredCallLog,
  ) {}

  /**
   * Lists the calls of a session for principals who may read its recording, because names and addresses are a
   * part of the recording.
   * @throws AppError `not_found`: no such session, or its recording was removed; `forbidden` to reviewers.
   */
  async list(actor: Principal, sessionId: string, query: PageQuery): Promise<SessionCallPage> {
    const session = await this.sessions.findReadable(actor, sessionId);
    mustBeKept(session);
    await this.log.flush();
    const { offset, size } = pageWindow(query);
    const [rows, total] = await this.calls.findAndCount({
      where: { orgId: actor.orgId, sessionId },
      order: { at: 'DESC', id: 'DESC' },
      skip: offset,
      take: size,
    });
    return pageOf(query, rows.map(sessionCallView), total);
  }
}
