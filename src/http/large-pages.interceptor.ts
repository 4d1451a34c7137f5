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

/** Rendering a smaller page takes less than a millisecond, unless its items are large. */
const SMALL_PAGE = 20;
/** How much is rendered before the event loop turns. */
const CHARACTERS_PER_TURN = 128 * 1024;

interface Page {
  readonly data: readonly unknown[];
}

/** Renders the pages of lists in pieces: a page with a thousand large items has tens of megabytes. */
@Injectable()
export class LargePagesInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next
      .handle()
      .pipe(
        map((answer) =>
          isLargePage(answer)
            ? new StreamableFile(Readable.from(rendered(answer)), { type: 'application/json; charset=utf-8' })
            : answer,
        ),
      );
  }
}

function isLargePage(answer: unknown): answer is Page {
  const data = (answer as Partial<Page> | null | undefined)?.data;
  return Array.isArray(data) && data.length > SMALL_PAGE;
}

async function* rendered({ data, ...others }: Page): AsyncGenerator<string> {
  let text = '{"data":[';
  for (const [index, item] of data.entries()) {
    text += `${index === 0 ? '' : ','}${JSON.stringify(item)}`;
    if (text.length < CHARACTERS_PER_TURN) continue;
    yield text;
    text = '';
    await turn();
  }
  const rest = JSON.stringify(others).slice(1);
  yield `${text}]${rest === '}' ? '' : ','}${rest}`;
}
