import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings';
import { CallLog } from '../../../gate/ports/call-log';
import { ToolRegistry } from '../../../gate/ports/tool-registry';
import { CurrentTargets } from '../lists/current-targets';
import { CallLimits } from '../calls/call-limits';

/** Services of the gateway that every visit uses. */
@Injectable()
export class VisitServices {
  constructor(
    readonly settings: Settings,
    readonly registry: ToolRegistry,
    readonly calls: CallLog,
    readonly limits: CallLimits,
    readonly targets: CurrentTargets,
  ) {}
}
