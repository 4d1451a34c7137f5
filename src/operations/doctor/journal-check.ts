import { constants } from 'node:fs';
import { access, readFile, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { OWNER_FILE, type JournalOwner, isRunning } from '../../sessions/journal/journal-owner';
import { probeJournal } from '../../sessions/journal/journal-probe';
import { messageOf } from '../../kernel/app-error';
import { parseJson } from '../../kernel/json/json';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';

const report = new Reporter('journal');
const GIB = 1024 ** 3;
/**
 * Minimum free space. With less, a burst of recordings can fill the disk before an operator reads the alert,
 * because each session may need its own journal file.
 */
const LEAST_FREE_BYTES = GIB;
const SLOW_SYNC_MS = 100;
/** File system types in statfs(2): tmpfs and ramfs. */
const IN_MEMORY = new Set([0x01021994, 0x858458f6]);
const OF_A_CONTAINER = 0x794c7630;
const CORRECT_OWNER =
  'Make the folder writable for the user that runs the gateway (chown, or fsGroup of the pod).';

/**
 * Checks that recordings can be written to the journal, where they count as durable. Creates no folder,
 * because the gateway's user has to own it.
 */
export async function checkJournal({ settings, isProduction }: Examined): Promise<Diagnosis[]> {
  const { mode, journalDir } = settings.recorder;
  const folder = resolve(journalDir);
  const existing = await nearestFolder(folder);
  if (existing !== folder) return [await unborn(folder, existing)];
  const begun = performance.now();
  const fault = await probeJournal(folder);
  const tookMs = Math.round(performance.now() - begun);
  if (fault !== undefined) return [report.fault(`JOURNAL_DIR (${folder}): ${fault}.`, adviceOn(fault))];
  const found = [
    ...(await placeOf(folder, isProduction)),
    ...slownessOf(tookMs, mode),
    ...(await leftOver(folder)),
  ];
  return found.length > 0
    ? found
    : [report.ok(`JOURNAL_DIR (${folder}) can be written and synced (${tookMs} ms).`)];
}

async function nearestFolder(folder: string): Promise<string> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  );
  return exists || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

async function unborn(folder: string, existing: string): Promise<Diagnosis> {
  const fault = await access(existing, constants.W_OK | constants.X_OK).then(() => undefined, messageOf);
  if (fault === undefined) return report.ok(`JOURNAL_DIR (${folder}) will be made at the start.`);
  return report.fault(`JOURNAL_DIR (${folder}) cannot be made in ${existing} by this user.`, CORRECT_OWNER);
}

function adviceOn(fault: string): string {
  if (fault.includes('full') || fault.includes('quota'))
    return 'Make room on its disk: until then, nothing can be recorded and nothing runs.';
  if (fault.includes('read-only'))
    return 'Mount its volume for writing; the journal needs a volume of its own in a container.';
  if (fault.includes('file')) return 'Choose a folder for JOURNAL_DIR.';
  return CORRECT_OWNER;
}

async function placeOf(folder: string, isProduction: boolean): Promise<Diagnosis[]> {
  const { type, bavail, bsize } = await statfs(folder);
  const found: Diagnosis[] = [];
  if (isProduction && IN_MEMORY.has(type))
    found.push(
      report.warning(
        'JOURNAL_DIR is in memory: what it holds is lost with the machine.',
        'Choose a folder on a disk.',
      ),
    );
  if (isProduction && type === OF_A_CONTAINER)
    found.push(
      report.warning(
        'JOURNAL_DIR is within the container and goes with it, together with events that the database does not have yet.',
        'Mount a volume that the next container finds again, or set RECORDING_MODE=store.',
      ),
    );
  const free = bavail * bsize;
  if (free < LEAST_FREE_BYTES)
    found.push(
      report.warning(
        `The disk of JOURNAL_DIR has ${(free / GIB).toFixed(2)} GiB left.`,
        'Make room, or choose another disk: while the database is away, all events stay in the journal.',
      ),
    );
  return found;
}

function slownessOf(tookMs: number, mode: string): Diagnosis[] {
  if (tookMs < SLOW_SYNC_MS || mode !== 'journal+fsync') return [];
  return [
    report.warning(
      `A write that is synced takes ${tookMs} ms, and each input waits for one with RECORDING_MODE=journal+fsync.`,
      'Choose a faster disk for JOURNAL_DIR.',
    ),
  ];
}

/** Reports journals of gateways that no longer run. The next gateway that starts stores their contents. */
async function leftOver(folder: string): Promise<Diagnosis[]> {
  const owners = await Promise.all((await readdir(folder)).map((name) => ownerIn(join(folder, name))));
  const dead = owners.filter((owner) => owner !== undefined && !isRunning(owner));
  if (dead.length === 0) return [];
  return [
    report.warning(
      `JOURNAL_DIR has ${dead.length === 1 ? 'the journal' : `${dead.length} journals`} of gateways that ended without storing it.`,
      'Start a gateway with this folder: it stores them in the database.',
    ),
  ];
}

async function ownerIn(folder: string): Promise<JournalOwner | undefined> {
  try {
    return parseJson(await readFile(join(folder, OWNER_FILE), 'utf8')) as JournalOwner;
  } catch {
    return undefined;
  }
}
