import { type Cursor, malformedValue } from '../wire/cursor';
import { float8 } from './numbers';

/** Prints a point. Source for all functions in this file: PostgreSQL, geo_ops.c. */
export function point(cursor: Cursor): string {
  return `(${pair(cursor)})`;
}

function pair(cursor: Cursor): string {
  const x = float8(cursor.float8());
  return `${x},${float8(cursor.float8())}`;
}

function points(cursor: Cursor, count: number): string {
  if (count < 0) throw malformedValue();
  const all: string[] = [];
  for (let index = 0; index < count; index += 1) all.push(point(cursor));
  return all.join(',');
}

export function segment(cursor: Cursor): string {
  return `[${points(cursor, 2)}]`;
}

export function path(cursor: Cursor): string {
  const isClosed = cursor.uint8() === 1;
  const all = points(cursor, cursor.int32());
  return isClosed ? `(${all})` : `[${all}]`;
}

export function box(cursor: Cursor): string {
  return points(cursor, 2);
}

export function polygon(cursor: Cursor): string {
  return `(${points(cursor, cursor.int32())})`;
}

export function line(cursor: Cursor): string {
  const first = pair(cursor);
  return `{${first},${float8(cursor.float8())}}`;
}

export function circle(cursor: Cursor): string {
  const center = point(cursor);
  return `<${center},${float8(cursor.float8())}>`;
}
