import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings';
import { targetKinds } from '../../targets/kinds';
import { type ConnectionKindList, connectionKindView } from './connection-kind.dto';

/** The kinds of connections, rendered once at the start, because neither kinds nor settings change later. */
@Injectable()
export class ConnectionKindsService {
  readonly json: Buffer;
  readonly etag: string;

  constructor(settings: Settings) {
    const list: ConnectionKindList = { data: targetKinds.map((kind) => connectionKindView(kind, settings)) };
    this.json = Buffer.from(JSON.stringify(list));
    this.etag = `"${createHash('sha256').update(this.json).digest('base64url').slice(0, 27)}"`;
  }
}
