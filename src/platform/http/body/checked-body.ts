import { validateSync } from 'class-validator';
import { TimeSlice } from '../../../kernel/async/time-slice';
import { type DtoClass, fieldsOfDto } from '../dto/dto-fields';
import { MAX_FAULTS, quotedName } from '../dto/fault-message';
import { isNullable } from '../dto/nest-parts';
import { cutToLimits } from './cut-to-limits';
import { type Fault, validationFaults } from './faults';
import { fieldsWithoutEffect, ignoredFieldsOf, noteWithoutEffect } from './field-marks';
import { needsStandIn, standIn } from './long-values';
import { nestedTypeOf, transformed } from './transformer-parts';

interface Built {
  readonly path: string;
  readonly object: object;
  /** Copy of `object` with empty nested objects, because each nested object is validated separately. */
  readonly flat: object;
}

type Checks = readonly { readonly type: string; readonly name?: string }[];

type Result = { readonly value: object } | { readonly faults: readonly Fault[]; readonly total: number };

/**
 * Builds an instance of a DTO class from a parsed JSON object, and validates it. Before any value is
 * validated, it detects unknown fields, and nulls that the API description does not allow, at every level.
 * Values that have no DTO class are not copied.
 */
export async function checkedBody(type: DtoClass, plain: object): Promise<Result> {
  const builder = new Builder();
  const value = await builder.build(type, plain as Record<string, unknown>, '');
  if (builder.total > 0) return builder;
  for (const { flat, name, text } of builder.long) flat[name] = await standIn(text);
  const faults: Fault[] = [];
  for (const { path, flat } of builder.built) {
    if (builder.slice.isOver) await builder.slice.next();
    const errors = validateSync(flat, {
      forbidUnknownValues: false,
      validationError: { target: false, value: false },
    });
    faults.push(...errors.flatMap((error) => validationFaults(error, path)));
    if (faults.length > MAX_FAULTS) break;
  }
  noteWithoutEffect(type, value, plain as Record<string, unknown>);
  return faults.length === 0 ? { value } : { faults, total: faults.length };
}

class Builder {
  readonly slice = new TimeSlice();
  readonly built: Built[] = [];
  /** Long texts, each of which is replaced by a short text in `flat` before validation. */
  readonly long: { flat: Record<string, unknown>; name: string; text: string }[] = [];
  readonly faults: Fault[] = [];
  total = 0;

  async build(type: DtoClass, plain: Record<string, unknown>, path: string): Promise<object> {
    if (this.slice.isOver) await this.slice.next();
    const fields = fieldsOfDto(type);
    const ignored = ignoredFieldsOf(type);
    const idle = fieldsWithoutEffect(type);
    const object = new type() as Record<string, unknown>;
    const flat = new type() as Record<string, unknown>;
    this.built.push({ path, object, flat });
    for (const [name, value] of Object.entries(plain)) {
      if (this.slice.isOver) await this.slice.next();
      const checks = fields.get(name);
      const at = path === '' ? name : `${path}.${name}`;
      if (checks !== undefined) {
        const nested = nestedTypeOf(type, name);
        const fault = shapeFault(type, name, value, checks, nested !== undefined, at);
        if (fault !== undefined) {
          this.refuse(fault);
        } else if (nested === undefined) {
          const cut = cutToLimits(value, checks);
          // A value beyond the limits is refused, so it is not transformed.
          const read = cut === value ? transformed(type, name, plain) : value;
          object[name] = read;
          flat[name] = cut === value ? read : cut;
          if (needsStandIn(flat[name], checks)) this.long.push({ flat, name, text: flat[name] });
        } else {
          // A list that is too long is refused, so the elements beyond the limit are not read.
          const cut = cutToLimits(value, checks);
          object[name] = await this.nested(nested, cut, at);
          flat[name] = hollow(cut);
        }
      } else if (!ignored.has(name) && !idle.has(name)) {
        this.refuse({
          constraint: 'whitelistValidation',
          message: `unknown field ${path === '' ? '' : `${path}.`}${quotedName(name)}`,
        });
      }
    }
    return object;
  }

  private async nested(type: DtoClass, value: unknown, path: string): Promise<unknown> {
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const [index, item] of value.entries())
        items.push(await this.nested(type, item, `${path}.${index}`));
      return items;
    }
    if (typeof value !== 'object' || value === null) return value;
    return this.build(type, value as Record<string, unknown>, path);
  }

  private refuse(fault: Fault): void {
    this.total += 1;
    if (this.faults.length < MAX_FAULTS) this.faults.push(fault);
  }
}

/** Returns a fault that class-validator would not find, or because of which the value must not be copied. */
function shapeFault(
  type: DtoClass,
  name: string,
  value: unknown,
  checks: Checks,
  isNested: boolean,
  at: string,
): Fault | undefined {
  const isForbiddenNull = value === null && !isNullable(type, name);
  if (isForbiddenNull && (isNested || wantsObject(checks)))
    return { constraint: 'isObject', message: `${at} must be an object` };
  // A required field needs no message here, because its checks refuse null.
  if (isForbiddenNull && isOptional(checks))
    return { constraint: 'isNull', message: `${at} must not be null: leave it out` };
  if (!isNested && hasProto(value))
    return { constraint: 'whitelistValidation', message: `unknown field ${at}.__proto__` };
  return undefined;
}

/** Replaces nested objects by empty ones for class-validator, because each is validated separately. */
function hollow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hollow);
  return typeof value === 'object' && value !== null ? {} : value;
}

/** Whether a value contains the key `__proto__`. Copying this key would change the copy's prototype. */
function hasProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto);
}

/** Whether a field is optional. If an optional field is null, class-validator skips all its checks. */
function isOptional(checks: Checks): boolean {
  return checks.some(({ type }) => type === 'conditionalValidation');
}

function wantsObject(checks: Checks): boolean {
  return checks.some(({ name }) => name === 'isObject');
}
