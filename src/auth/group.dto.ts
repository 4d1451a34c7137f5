import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { DescriptionField, HasNoNul } from '../http/fields';
import { PageInfo } from '../http/page';
import { AcceptsAndIgnores } from '../http/validation.pipe';

@AcceptsAndIgnores('members')
export class GroupBody {
  @ApiProperty({ description: 'Unique name.', minLength: 1, maxLength: 256, example: 'dba' })
  @IsString()
  @Length(1, 256)
  @HasNoNul()
  name!: string;

  @DescriptionField()
  description?: string;
}

export class GroupView {
  @ApiProperty({ example: 'dba' })
  name!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ type: 'integer', description: 'How many users are in it.' })
  members!: number;
}

export class GroupPage {
  @ApiProperty({ type: [GroupView] })
  data!: GroupView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}
