import { SetMetadata } from '@nestjs/common';

const TAKES_LONG_TEXT = 'takes long text';

/** The route takes a script or a text: its body may have up to `BODY_LIMIT_MB`. All others take 1 MiB. */
export function TakesLongText(): MethodDecorator {
  return SetMetadata(TAKES_LONG_TEXT, true);
}

export function takesLongText(handler: object): boolean {
  return Reflect.getMetadata(TAKES_LONG_TEXT, handler) === true;
}
