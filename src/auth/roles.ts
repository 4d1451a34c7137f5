import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings';
import type { Role } from '../kernel/principal';

/** Roles follow from groups, compared exactly: `Admin` is not `admin`. */
@Injectable()
export class Roles {
  constructor(private readonly settings: Settings) {}

  of(groups: readonly string[]): Role {
    if (groups.includes(this.settings.ADMIN_GROUP)) return 'admin';
    return groups.includes(this.settings.AUDITOR_GROUP) ? 'auditor' : 'regular';
  }
}
