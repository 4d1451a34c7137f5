import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { catalogEntries } from './catalog-entries';

/** The built-in catalog, rendered once at the start, because it does not change while running. */
@Injectable()
export class CatalogService {
  readonly json = Buffer.from(JSON.stringify([...catalogEntries.values()]));
  readonly etag = `"${createHash('sha256').update(this.json).digest('base64url').slice(0, 27)}"`;
}
