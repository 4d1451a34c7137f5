import { join } from 'node:path';
import type { Settings } from '../config/settings';

/** Where the gateways of this machine keep their journals, each in a folder named by its id. */
export function journalsIn(settings: Settings): string {
  return settings.JOURNAL_DIR ?? join(settings.DATA_DIR, 'journal');
}
