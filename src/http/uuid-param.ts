import { type ArgumentMetadata, Injectable, Param, type PipeTransform } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { AppError } from '../kernel/app-error';

@Injectable()
class UuidPipe implements PipeTransform<string, string> {
  transform(value: string, { data }: ArgumentMetadata): string {
    if (!isUUID(value)) throw new AppError('malformed', `${data ?? 'id'} must be a UUID`);
    return value.toLowerCase();
  }
}

/** A path parameter that must be a UUID; anything else is 400. */
export const UuidParam = (name: string): ParameterDecorator => Param(name, UuidPipe);
