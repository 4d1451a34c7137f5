import { Injectable } from '@nestjs/common';
import { RoleSettings } from '../../../platform/config/groups';
import type { Role } from '../../../kernel/principal';

/** Derives roles from groups. Names are compared exactly: `Admin` is not `admin`. */
@Injectable()
export class Roles {
  constructor(private readonly settings: RoleSettings) {}

  of(groups: readonly string[]): Role {
    if (groups.includes(this.settings.adminGroup)) return 'admin';
    return groups.includes(this.settings.auditorGroup) ? 'auditor' : 'regular';
  }
}
