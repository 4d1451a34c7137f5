import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { PageQuery } from './page';

/** The page of a list of what belongs to one user. */
export class PageOfUserQuery extends PageQuery {
  @ApiPropertyOptional({
    description:
      'Subject identifier or e-mail of the user; by default the caller. Only auditors and admins may ask about others.',
    maxLength: 256,
    example: 'grace@example.com',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(256)
  user?: string;
}
