import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { AppError } from '../../../kernel/app-error';
import { StrictQuery } from './query-fields';

/** Maximum page size, also used if `page_size` is absent or zero (contract, "Conventions"). */
export const MAX_PAGE_SIZE = 1000;
const MAX_PAGE = 1_000_000;

/** A whole number in a query. Any other value is refused with 400. */
export function queryInteger(name: string, min: number, max: number) {
  return Transform(({ value }: { value: unknown }) => {
    if (typeof value === 'string' && /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max)
      return Number(value);
    throw new AppError('malformed', `${name} must be a whole number from ${min} to ${max}`);
  });
}

/** `page` and `page_size` of a page list. */
export class PageQuery extends StrictQuery {
  @ApiPropertyOptional({
    type: 'integer',
    description: 'Page number, from 1.',
    minimum: 1,
    maximum: MAX_PAGE,
    default: 1,
  })
  @queryInteger('page', 1, MAX_PAGE)
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE)
  page = 1;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Items on a page; absent or 0 means the maximum.',
    minimum: 0,
    maximum: MAX_PAGE_SIZE,
    default: MAX_PAGE_SIZE,
  })
  @queryInteger('page_size', 0, MAX_PAGE_SIZE)
  @IsInt()
  @Min(0)
  @Max(MAX_PAGE_SIZE)
  page_size = MAX_PAGE_SIZE;
}

// Functions, not getters of `PageQuery`, because a caller could send a getter's name as a query parameter.
export function sizeOf({ page_size }: PageQuery): number {
  return page_size === 0 ? MAX_PAGE_SIZE : page_size;
}

export function pageOffset(query: PageQuery): number {
  return (query.page - 1) * sizeOf(query);
}

export function pageWindow(query: PageQuery): { offset: number; size: number } {
  return { offset: pageOffset(query), size: sizeOf(query) };
}

/** The position of a page in its list. */
export class PageInfo {
  @ApiProperty({ type: 'integer', description: 'This page, from 1.', example: 1 })
  page!: number;

  @ApiProperty({ type: 'integer', description: 'Items on a full page.', example: 1000 })
  size!: number;

  @ApiProperty({ type: 'integer', description: 'Items in the whole list.', example: 1 })
  total!: number;
}

export function pageOf<T>(query: PageQuery, data: T[], total: number): { data: T[]; pages: PageInfo } {
  return { data, pages: { page: query.page, size: sizeOf(query), total } };
}
