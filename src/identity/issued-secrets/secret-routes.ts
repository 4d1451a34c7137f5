import { Delete, Get, HttpCode, HttpStatus, Post, type Type, applyDecorators } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { CreatesAt } from '../../platform/http/routes/created';
import { ApiUuidParam } from '../../platform/http/routes/uuid-param';
import { AnswersWithTag } from '../../platform/http/routes/versioned';
import { ApiIfMatch } from '../../platform/http/routes/versions';

/** Words and types for one kind of secret in the API description. */
interface SecretWords {
  /** Part of the operation ids: `ApiKey` in `listApiKeys`. */
  readonly operation: string;
  /** Name of the kind in summaries, such as `API key`; `article` comes before it. */
  readonly noun: string;
  readonly article: 'a' | 'an';
  readonly view: Type;
  /** Type of the only answer that contains the text of a secret. */
  readonly created: Type;
  readonly page: Type;
}

/** Decorators for the four routes of one kind of secret. All routes are for admins only. */
export class SecretRoutes {
  constructor(private readonly words: SecretWords) {}

  List(): MethodDecorator {
    const { operation, noun, page } = this.words;
    return applyDecorators(
      Get(),
      Requires('admin'),
      ApiOperation({ operationId: `list${operation}s`, summary: `List ${noun}s, masked, newest first` }),
      ApiOkResponse({ type: page }),
      ApiErrors(400),
    );
  }

  Read(): MethodDecorator {
    const { operation, noun, article, view } = this.words;
    return applyDecorators(
      Get(':id'),
      Requires('admin'),
      AnswersWithTag(),
      ApiOperation({ operationId: `get${operation}`, summary: `Get ${article} ${noun}, masked` }),
      ApiUuidParam('id'),
      ApiOkResponse({ type: view }),
      ApiErrors(400, 404),
    );
  }

  Create(): MethodDecorator {
    const { operation, noun, article, created } = this.words;
    return applyDecorators(
      Post(),
      Requires('admin'),
      CreatesAt('id'),
      ApiOperation({
        operationId: `create${operation}`,
        summary: `Create ${article} ${noun}; it is shown only in this answer`,
      }),
      ApiCreatedResponse({ type: created }),
      ApiErrors(400, 409, 413, 422),
    );
  }

  Revoke(): MethodDecorator {
    const { operation, noun, article } = this.words;
    return applyDecorators(
      Delete(':id'),
      Requires('admin'),
      HttpCode(HttpStatus.NO_CONTENT),
      ApiOperation({ operationId: `revoke${operation}`, summary: `Revoke ${article} ${noun}` }),
      ApiUuidParam('id'),
      ApiIfMatch(),
      ApiNoContentResponse(),
      ApiErrors(400, 404, 412),
    );
  }
}
