import { migrations } from '../migrations';

/** Version of the schema that this program creates and uses: the name of its last migration. */
export const SCHEMA_VERSION: string = migrations[migrations.length - 1]?.name ?? '';
