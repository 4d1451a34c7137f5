import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { checkCatalog } from './catalog-entry';
import data from './mcp-catalog.json';

/** The built-in catalog, validated and rendered once at the start, because it does not change while running. */
@Injectable()
export class CatalogService {
  readonly json = Buffer.from(JSON.stringify(checkCatalog(data)));
  readonly etag = `"${createHash('sha256').update(this.json).digest('base64url').slice(0, 27)}"`;
}
