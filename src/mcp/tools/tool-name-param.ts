import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { AppError } from '../../kernel/app-error';
import { MAX_TOOL_NAME, isToolName } from './tool-definition';

@Injectable()
class ToolNamePipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isToolName(value))
      throw new AppError('malformed', `tool must be the name of a tool, of 1 to ${MAX_TOOL_NAME} characters`);
    return value;
  }
}

export const ApiToolParam = (): MethodDecorator =>
  ApiParam({
    name: 'tool',
    description:
      'Name of the tool, exactly as the server writes it and encoded as a path segment: `/` is `%2F`. Or its id, because some names, such as `..`, cannot be sent in a path.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_TOOL_NAME },
  });

/** A path parameter with the exact name of a tool. A name that only looks the same is another tool. */
export const ToolParam = (): ParameterDecorator => Param('tool', ToolNamePipe);
