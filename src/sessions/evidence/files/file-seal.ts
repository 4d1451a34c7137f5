import { Injectable } from '@nestjs/common';
import { SealingSettings } from '../../../platform/config/groups';
import { KeyedSeal, type SealCheck } from '../../../platform/keys/keyed-seal';

/**
 * Seals a downloaded file with a key derived from `SECRET_KEY`. The seal of a recording covers only its
 * events. The seal of the file also covers the facts about the session: who, where and when.
 */
@Injectable()
export class FileSeal {
  private readonly seal: KeyedSeal;

  constructor(settings: SealingSettings) {
    this.seal = new KeyedSeal('access-gateway recording file', settings.keys);
  }

  of(digest: Buffer): Buffer {
    return this.seal.of(digest);
  }

  check(seal: Buffer, digest: Buffer): SealCheck {
    return this.seal.check(seal, digest);
  }
}
