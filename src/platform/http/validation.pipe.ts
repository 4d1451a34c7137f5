import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { AppError } from '../../kernel/app-error';
import { checkedBody } from './body/checked-body';
import { validationFaults, bodyRefusal } from './body/faults';
import { mayBeAbsent } from './body/field-marks';
import type { DtoClass } from './dto/dto-fields';
import { StrictQuery } from './dto/query-fields';

export { AcceptsAndIgnores, AcceptsWithoutEffect, MayBeAbsent, warningsOf } from './body/field-marks';

/**
 * Validates bodies and queries by their DTO class. Unknown fields and wrong types are refused with 400, and
 * broken rules with 422 (contract, "Conventions"). The message names the field.
 */
@Injectable()
export class GatewayValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      exceptionFactory: (errors) => bodyRefusal(errors.flatMap((error) => validationFaults(error, ''))),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'query' && isStrict(metadata.metatype)) return this.transformQuery(value, metadata);
    if (metadata.type !== 'body' || metadata.metatype === undefined) return super.transform(value, metadata);
    return this.transformBody(value, metadata.metatype as DtoClass);
  }

  private async transformBody(value: unknown, type: DtoClass): Promise<object> {
    const body = value === undefined && mayBeAbsent(type) ? {} : value;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new AppError('malformed', 'the request body must be a JSON object');
    }
    const result = await checkedBody(type, body);
    if ('value' in result) return result.value;
    throw bodyRefusal(result.faults, result.total);
  }

  /** Any bad value of a strict query is a malformed request. */
  private async transformQuery(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    try {
      return await super.transform(value, metadata);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError('malformed', error.message);
    }
  }
}

function isStrict(type: ArgumentMetadata['metatype']): boolean {
  return type?.prototype instanceof StrictQuery;
}
