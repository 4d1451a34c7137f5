import { SetMetadata } from '@nestjs/common';

const TAKES_LONG_TEXT = 'takes long text';

/** Marks a route that accepts a script or a text. Its body may have `BODY_LIMIT_MB` instead of 1 MiB. */
export function TakesLongText(): MethodDecorator {
  return SetMetadata(TAKES_LONG_TEXT, true);
}

export function takesLongText(handler: object): boolean {
  return Reflect.getMetadata(TAKES_LONG_TEXT, handler) === true;
}
