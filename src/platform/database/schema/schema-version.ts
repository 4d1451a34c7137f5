import { migrations } from '../migrations';

/** The schema that this program makes and uses: the name of its last migration. */
export const SCHEMA_VERSION: string = migrations[migrations.length - 1]?.name ?? '';
