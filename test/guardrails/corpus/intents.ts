import type { Intent } from './intent';
import { INTENTS_BY_FUNCTION } from './intents-by-function';
import { INTENTS_BY_KIND } from './intents-by-kind';
import { INTENTS_ON_TABLES } from './intents-on-tables';

export const INTENTS: readonly Intent[] = [...INTENTS_ON_TABLES, ...INTENTS_BY_KIND, ...INTENTS_BY_FUNCTION];
