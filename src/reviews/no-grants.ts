import { Injectable } from '@nestjs/common';
import { ReviewedGrants } from './reviewed-work';

/** For as long as nobody gives access for a span of time: there is none to end. */
@Injectable()
export class NoGrants extends ReviewedGrants {
  async end(): Promise<void> {}
}
