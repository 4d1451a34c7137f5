import { Body, Controller, Get, Param, ParseUUIDPipe, Put, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { reliedOn } from '../../../../test/support/relied-on';
import { isNullable, routeArguments } from './nest-parts';

class Thing {
  @ApiProperty({ nullable: true, type: String })
  note!: string | null;

  @ApiProperty()
  name!: string;
}

class Page {}

@Controller('things')
class Things {
  @Put(':id')
  replace(@Query() _page: Page, @Param('id', ParseUUIDPipe) _id: string, @Body() _thing: Thing): void {}

  @Get()
  list(): void {}
}

describe('the private parts of NestJS', () => {
  it('are as they were: the arguments of a handler', () => {
    const relied = reliedOn('@nestjs/common', 'src/platform/http/dto/nest-parts.ts');
    const found = new Map(routeArguments(Things, 'replace').map((argument) => [argument.part, argument]));
    relied('ROUTE_ARGS_METADATA, parts', [...found.keys()].sort(), ['body', 'param', 'query']);
    relied('ROUTE_ARGS_METADATA, type of @Body()', found.get('body')?.type, Thing);
    relied('ROUTE_ARGS_METADATA, type of @Query()', found.get('query')?.type, Page);
    const { name, pipes } = found.get('param') ?? {};
    relied('ROUTE_ARGS_METADATA, @Param()', { name, pipes }, { name: 'id', pipes: [ParseUUIDPipe] });
    relied('ROUTE_ARGS_METADATA of a handler without arguments', routeArguments(Things, 'list'), []);
  });

  it('are as they were: what a property is documented as', () => {
    const relied = reliedOn('@nestjs/swagger', 'src/platform/http/dto/nest-parts.ts');
    relied(
      'swagger/apiModelProperties',
      [isNullable(Thing, 'note'), isNullable(Thing, 'name')],
      [true, false],
    );
  });
});
