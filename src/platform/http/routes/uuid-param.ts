import { type ArgumentMetadata, Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { isUUID } from 'class-validator';
import { AppError } from '../../../kernel/app-error';

@Injectable()
class UuidPipe implements PipeTransform<string, string> {
  transform(value: string, { data }: ArgumentMetadata): string {
    if (!isUUID(value)) throw new AppError('malformed', `${data ?? 'id'} must be a UUID`);
    return value.toLowerCase();
  }
}

/** Documents a UUID path parameter. */
export const ApiUuidParam = (name: string): MethodDecorator =>
  ApiParam({
    name,
    description: 'The unique identifier of the resource.',
    schema: { type: 'string', format: 'uuid' },
  });

/** A path parameter that must be a UUID; other values get 400. */
export const UuidParam = (name: string): ParameterDecorator => Param(name, UuidPipe);
