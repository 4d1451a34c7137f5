import { ApiProperty } from '@nestjs/swagger';
import { DescriptionField } from '../../../platform/http/dto/fields';
import { NameField } from '../../../platform/http/dto/name-fields';
import { PageInfo } from '../../../platform/http/dto/page';
import { AcceptsAndIgnores } from '../../../platform/http/validation.pipe';

@AcceptsAndIgnores('members')
export class GroupBody {
  @NameField({ description: 'Unique name.', example: 'dba' })
  name!: string;

  @DescriptionField()
  description?: string;
}

export class GroupView {
  @ApiProperty({ example: 'dba' })
  name!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ type: 'integer', description: 'Number of members.' })
  members!: number;
}

export class GroupPage {
  @ApiProperty({ type: [GroupView] })
  data!: GroupView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}
