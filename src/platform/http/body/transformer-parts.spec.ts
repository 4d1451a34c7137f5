import { Transform, Type } from 'class-transformer';
import { reliedOn } from '../../../../test/support/relied-on';
import { nestedTypeOf, transformed } from './transformer-parts';

class Part {}

class Whole {
  @Type(() => Part)
  parts!: Part[];

  @Transform(({ value }) => `${String(value)}!`)
  @Transform(({ value, key, obj }) => `${key} ${String(value)} of ${Object.keys(obj as object).length}`)
  word!: string;

  plain!: string;
}

class Heir extends Whole {}

it.each([Whole, Heir])('the private parts of class-transformer are as they were: %p', (type) => {
  const relied = reliedOn('class-transformer', 'src/platform/http/body/transformer-parts.ts');
  relied('findTypeMetadata()', nestedTypeOf(type, 'parts'), Part);
  relied('findTypeMetadata() of a plain field', nestedTypeOf(type, 'plain'), undefined);
  relied('findTransformMetadatas()', transformed(type, 'word', { word: 'a', other: 1 }), 'word a! of 2');
  relied('findTransformMetadatas() of a plain field', transformed(type, 'plain', { plain: 7 }), 7);
});
