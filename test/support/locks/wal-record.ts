import type { Client } from 'pg';
import type { LockMode } from './lock-order';

/**
 * A record of the write-ahead log about locks. `at`: `<database>/<file node> (block,offset)` of a row
 * version.
 */
export type WalRecord =
  | { readonly kind: 'message'; readonly xid: string; readonly prefix: string; readonly content: string }
  /** A multixact: several transactions lock one row, and the row stores the number of this set. */
  | {
      readonly kind: 'lockers';
      readonly set: string;
      readonly members: readonly (readonly [string, LockMode])[];
    }
  | { readonly kind: 'insert'; readonly xid: string; readonly at: string }
  | {
      readonly kind: 'update';
      readonly xid: string;
      readonly from: string;
      readonly to: string;
      readonly mode: LockMode;
    }
  /** If `mode` is undefined, the multixact `set` contains the mode of this transaction. */
  | {
      readonly kind: 'lock';
      readonly xid: string;
      readonly at: string;
      readonly mode: LockMode | undefined;
      readonly set: string;
    }
  | { readonly kind: 'table'; readonly xid: string; readonly file: string }
  /** Commit or rollback of a transaction; `parts` are its savepoints. */
  | { readonly kind: 'end'; readonly xid: string; readonly parts: readonly string[] };

interface Row {
  readonly xid: string;
  readonly manager: string;
  readonly type: string;
  readonly description: string;
  readonly blocks: string | null;
}

/** Records between two positions of the log about this database, or about no database. */
export async function readWal(client: Client, from: string, until: string): Promise<WalRecord[]> {
  const { rows } = await client.query<Row>(
    `SELECT xid::text, resource_manager AS manager, record_type AS type, description, block_ref AS blocks
     FROM pg_get_wal_records_info($1, $2), (SELECT oid FROM pg_database WHERE datname = current_database()) AS own
     WHERE resource_manager IN ('LogicalMessage', 'MultiXact', 'Transaction')
       OR (resource_manager = 'Heap' AND block_ref LIKE '%/' || own.oid || '/%')
       OR (resource_manager = 'Standby' AND description LIKE '% db ' || own.oid || ' %')
     ORDER BY start_lsn`,
    [from, until],
  );
  return rows.flatMap(recordOf);
}

function recordOf(row: Row): WalRecord[] {
  const { xid, type, description } = row;
  switch (row.manager) {
    case 'LogicalMessage':
      return messageOf(row);
    case 'MultiXact':
      return type === 'CREATE_ID' ? [lockersOf(description)] : [];
    case 'Transaction': {
      if (!/^(COMMIT|ABORT)/.test(type)) return [];
      const parts = /subxacts: ([\d ]+)/.exec(description)?.[1]?.split(' ') ?? [];
      return [{ kind: 'end', xid, parts }];
    }
    case 'Standby':
      return [...description.matchAll(/xid (\d+) db (\d+) rel (\d+)/g)].map(([, holder = '', db, file]) => ({
        kind: 'table',
        xid: holder,
        file: `${db}/${file}`,
      }));
    default:
      return rowRecordOf(row);
  }
}

function messageOf({ xid, description }: Row): WalRecord[] {
  const found = /prefix "(\w+)"; payload \(\d+ bytes\): ?([0-9A-F ]*)/.exec(description);
  if (found === null) return [];
  const content = Buffer.from((found[2] ?? '').replaceAll(' ', ''), 'hex').toString();
  return [{ kind: 'message', xid, prefix: found[1] ?? '', content }];
}

const MEMBER_MODES: Readonly<Record<string, LockMode>> = {
  keysh: 'key share',
  sh: 'share',
  fornokeyupd: 'no key update',
  forupd: 'update',
  nokeyupd: 'no key update',
  upd: 'update',
};

function lockersOf(description: string): WalRecord {
  const set = description.split(' ')[0] ?? '';
  const members = [...description.matchAll(/(\d+) \((\w+)\)/g)].map(
    ([, xid = '', mode = '']) => [xid, MEMBER_MODES[mode] ?? 'update'] as const,
  );
  return { kind: 'lockers', set, members };
}

function rowRecordOf({ xid, type, description, blocks }: Row): WalRecord[] {
  const [first = '', second = first] = placesIn(blocks ?? '');
  const number = (name: string): string => new RegExp(`\\b${name}: (\\d+)`).exec(description)?.[1] ?? '';
  const bits = (name: string): string => new RegExp(`\\b${name}: \\[([^\\]]*)`).exec(description)?.[1] ?? '';
  const at = (block: string, offset: string): string => `${block},${number(offset)})`;
  switch (type.replace('+INIT', '')) {
    case 'INSERT':
      return [{ kind: 'insert', xid, at: at(first, 'off') }];
    case 'UPDATE':
    case 'HOT_UPDATE': {
      const mode = bits('old_infobits').includes('KEYS_UPDATED') ? 'update' : 'no key update';
      return [{ kind: 'update', xid, from: at(second, 'old_off'), to: at(first, 'new_off'), mode }];
    }
    case 'DELETE':
      return [{ kind: 'lock', xid, at: at(first, 'off'), mode: 'update', set: '' }];
    case 'LOCK':
      return [
        { kind: 'lock', xid, at: at(first, 'off'), mode: modeOf(bits('infobits')), set: number('xmax') },
      ];
    default:
      return [];
  }
}

/** `<database>/<file node> (block` of each block in the record. The block of a new row version is first. */
function placesIn(blocks: string): string[] {
  return [...blocks.matchAll(/rel \d+\/(\d+)\/(\d+) fork main blk (\d+)/g)].map(
    ([, database, file, block]) => `${database}/${file} (${block}`,
  );
}

function modeOf(bits: string): LockMode | undefined {
  if (bits.includes('IS_MULTI')) return undefined;
  if (bits.includes('KEYSHR_LOCK')) return bits.includes('EXCL_LOCK') ? 'share' : 'key share';
  return bits.includes('KEYS_UPDATED') ? 'update' : 'no key update';
}
