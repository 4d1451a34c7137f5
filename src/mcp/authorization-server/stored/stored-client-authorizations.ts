import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import { ClientAuthorizations } from '../../../gate/ports/client-authorizations';
import { Authorization } from './authorization.entity';

/** The authorizations in PostgreSQL. An ended authorization is deleted, and the change feed reports it. */
@Injectable()
export class StoredClientAuthorizations extends ClientAuthorizations {
  constructor(
    @InjectRepository(Authorization) private readonly stored: Repository<Authorization>,
    private readonly feed: ChangeFeed,
  ) {
    super();
  }

  onEnded(listener: (id: string | undefined) => void): void {
    this.feed.subscribe({
      changed: (table, id) => (table === 'authorizations' ? listener(id === '' ? undefined : id) : undefined),
      reset: () => listener(undefined),
    });
  }

  async ended(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const there = await this.stored.find({ select: { id: true }, where: { id: In([...ids]) } });
    const known = new Set(there.map(({ id }) => id));
    return ids.filter((id) => !known.has(id));
  }
}
