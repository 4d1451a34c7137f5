import { readFile, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { RecorderSettings } from '../../platform/config/groups';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { messageOf } from '../../kernel/app-error';
import { SessionRow, type SessionKey } from './session.entity';
import { SEGMENT_SUFFIX } from '../journal/journal-segments';
import { type JournalOwner, OWNER_FILE, isRunning } from '../journal/journal-owner';
import { decodeRecords } from '../journal/journal-records';
import { ReplayedSessions } from './replayed-sessions';
import { Shipper } from './shipper';

/** Bytes of pending events above which they are stored before the next file of the journal is read. */
const AT_ONCE_BYTES = 32 * 1024 * 1024;

/** Ends the sessions that a dead gateway left open. */
export type EndSessionsOf = (gatewayId: string) => Promise<void>;

/**
 * Stores the journals of dead gateways, and ends their sessions by a callback. Events are numbered, and the
 * session's row has the number of the last stored event. So each event is stored only once, even if several
 * gateways replay a journal several times.
 */
@Injectable()
export class JournalReplay {
  private readonly log = new Logger(JournalReplay.name);
  private running: Promise<void> | undefined;
  private readonly foreign = new Set<string>();

  constructor(
    @InjectRepository(SessionRow) private readonly sessions: Repository<SessionRow>,
    private readonly shipper: Shipper,
    private readonly feed: ChangeFeed,
    private readonly settings: RecorderSettings,
  ) {}

  /**
   * Replays the journals of all dead gateways. Never rejects. Only one replay runs at a time.
   * @param endSessionsOf Called when a whole journal is stored, before the journal is removed.
   */
  replayAll(endSessionsOf: EndSessionsOf): Promise<void> {
    this.running ??= this.replayEach(endSessionsOf).finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async replayEach(endSessionsOf: EndSessionsOf): Promise<void> {
    const folder = this.settings.journalDir;
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      if (name === this.feed.gatewayId || this.foreign.has(name)) continue;
      await this.replay(join(folder, name), endSessionsOf).catch((error: unknown) => {
        this.log.warn(`The journal ${name} could not be replayed: ${messageOf(error)}`);
      });
    }
  }

  private async replay(folder: string, endSessionsOf: EndSessionsOf): Promise<void> {
    const owner = await ownerOf(folder);
    if (isRunning(owner) || (await this.feed.isAlive(owner.gatewayId))) return;
    const found = new ReplayedSessions(this.shipper);
    for (const name of (await readdir(folder)).filter((file) => file.endsWith(SEGMENT_SUFFIX)).toSorted()) {
      for (const record of decodeRecords(await readFile(join(folder, name)))) {
        if (record.kind === 'nothing') continue;
        const { sessionId } = record;
        if (!found.knows(sessionId)) found.open(sessionId, await this.keyOf(sessionId));
        found.add(record);
      }
      if (found.bytes > AT_ONCE_BYTES) await found.store();
    }
    await found.store();
    if (found.strangers > 0) {
      this.foreign.add(owner.gatewayId);
      this.log.error(
        `The journal in ${folder} has ${found.strangers} sessions that are not in this database; the journal is kept and not replayed.`,
      );
      return;
    }
    await endSessionsOf(owner.gatewayId);
    await rm(folder, { recursive: true, force: true });
    this.log.log(`The journal of gateway ${owner.gatewayId} was replayed: ${found.events} events`);
  }

  private keyOf(sessionId: string): Promise<SessionKey | null> {
    return this.sessions.findOne({ select: { id: true, orgId: true }, where: { id: sessionId } });
  }
}

/** Reads the owner of a journal. A gateway writes the owner file first, so without it there are no events. */
async function ownerOf(folder: string): Promise<JournalOwner> {
  const text = await readFile(join(folder, OWNER_FILE), 'utf8').catch(() => undefined);
  if (text === undefined || text === '')
    return { gatewayId: basename(folder), pid: process.pid, started: null };
  return JSON.parse(text) as JournalOwner;
}
