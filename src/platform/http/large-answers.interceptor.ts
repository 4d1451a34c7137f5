import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { type Observable, map } from 'rxjs';
import { isLargeJson, jsonPieces } from '../../kernel/json/json';

/**
 * Renders a large answer in pieces and yields to other requests after each piece. A page with a thousand
 * large items, or a session with a long script, can have megabytes.
 */
@Injectable()
export class LargeAnswersInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next
      .handle()
      .pipe(
        map((answer) =>
          isObject(answer) && isLargeJson(answer)
            ? new StreamableFile(Readable.from(inTurns(answer)), { type: 'application/json; charset=utf-8' })
            : answer,
        ),
      );
  }
}

/** Yields the JSON of an answer in pieces, for routes that write their answers themselves. */
export async function* inTurns(answer: object): AsyncGenerator<string> {
  for (const piece of jsonPieces(answer)) {
    yield piece;
    await turn();
  }
}

function isObject(answer: unknown): answer is object {
  return typeof answer === 'object' && answer !== null && !(answer instanceof StreamableFile);
}
