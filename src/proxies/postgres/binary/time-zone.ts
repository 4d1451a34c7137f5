import { Unprintable } from '../wire/cursor';

const MICROS_PER_MS = 1_000n;
/** 2000-01-01 in milliseconds since 1970. */
const EPOCH_MS = 946_684_800_000;
const MAX_MS = 8.64e15;
const QUARTER_MS = 15 * 60_000;
/** Maximum number of cached zones, and of cached offsets of each zone. A full cache is cleared. */
const REMEMBERED = 4_096;

const UTC = new Map([
  ['UTC', 'UTC'],
  ['Etc/UTC', 'UTC'],
  ['GMT', 'GMT'],
  ['Etc/GMT', 'GMT'],
]);

/**
 * Matches a POSIX time zone with a fixed offset, counted west of Greenwich. `SET TIME ZONE` with a number or
 * an interval creates such a zone (`<+02>-02`), and clients send them too (`-02:00`, `ABC5`). Source:
 * PostgreSQL documentation, "POSIX Time Zone Specifications".
 */
const FIXED = /^(?:<([^>]+)>|[a-z]*)([+-]?)(\d{1,3})(?::(\d\d?))?(?::(\d\d?))?$/i;

interface Zone {
  readonly format: Intl.DateTimeFormat;
  readonly known: Map<number, number>;
}

const zones = new Map<string, Zone | undefined>();

/**
 * Returns the offset of a zone at a given time, in seconds east of Greenwich. The time zone data of Node.js
 * may differ from the target's for recent changes of law, and in a few places before 1970.
 * @param micros microseconds since 2000-01-01 UTC.
 */
export function zoneOffset(name: string, micros: bigint): number {
  if (UTC.has(name)) return 0;
  const fixed = FIXED.exec(name);
  if (fixed !== null) {
    const [, , sign, hours, minutes = '0', seconds = '0'] = fixed;
    const west = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
    return sign === '-' ? west : -west;
  }
  const at = Number(floorDiv(micros, MICROS_PER_MS)) + EPOCH_MS;
  const zone = zoneOf(name);
  if (zone === undefined || Math.abs(at) > MAX_MS)
    throw new Unprintable(`the gateway does not know the time in the zone ${name}`);
  const quarter = Math.floor(at / QUARTER_MS);
  const offset = remembered(zone, quarter);
  // Nearly all offset changes happen at a full quarter of an hour, but St. John's had some at 00:01.
  return offset === remembered(zone, quarter + 1) ? offset : offsetAt(zone, at);
}

/** Returns the abbreviation of a zone if the abbreviation never changes; undefined for other zones. */
export function shortNameOf(name: string): string | undefined {
  return UTC.get(name) ?? FIXED.exec(name)?.[1];
}

/** Caches the offset at the start of each quarter of an hour, because Intl is slow. */
function remembered(zone: Zone, quarter: number): number {
  const known = zone.known.get(quarter);
  if (known !== undefined) return known;
  if (zone.known.size >= REMEMBERED) zone.known.clear();
  const offset = offsetAt(zone, Math.min(quarter * QUARTER_MS, MAX_MS));
  zone.known.set(quarter, offset);
  return offset;
}

function offsetAt({ format }: Zone, at: number): number {
  const shown = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(shown.replace('−', '-')) ?? [];
  const size = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
}

function zoneOf(name: string): Zone | undefined {
  if (zones.has(name)) return zones.get(name);
  if (zones.size >= REMEMBERED) zones.clear();
  const zone = madeZone(name);
  zones.set(name, zone);
  return zone;
}

function madeZone(name: string): Zone | undefined {
  // Refuses a name with a leading sign or with digits, because the server reads such a name as a POSIX zone,
  // whose offset counts west of Greenwich.
  if (
    !/^[a-z]/i.test(name) ||
    (/[+-]?\d/.test(name) && !/^(Etc\/GMT[+-]?\d+|[A-Z]{3}\d[A-Z]{3})$/.test(name))
  )
    return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    return { format, known: new Map() };
  } catch {
    return undefined;
  }
}

function floorDiv(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value < 0n && value % by !== 0n ? quotient - 1n : quotient;
}
