import { SetMetadata } from '@nestjs/common';

const TAKES_LONG_TEXT = 'takes long text';

/** Marks a route that accepts a script or a text. The limit of its body is `BODY_LIMIT_MB`, not 1 MiB. */
export function TakesLongText(): MethodDecorator {
  return SetMetadata(TAKES_LONG_TEXT, true);
}

export function takesLongText(handler: object): boolean {
  return Reflect.getMetadata(TAKES_LONG_TEXT, handler) === true;
}
