import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';

/**
 * Seals a file as it was downloaded, under a key derived from `SECRET_KEY`. The seal of a recording tells that its
 * events are those that were recorded; this one, that the file also says what the gateway said about them then: who,
 * where and when.
 */
@Injectable()
export class FileSeal {
  private readonly keys: readonly Buffer[];

  constructor(settings: Settings) {
    this.keys = settings.SECRET_KEY.map((key) =>
      createHmac('sha256', key).update('access-gateway recording file').digest(),
    );
  }

  of(digest: Buffer): Buffer {
    const [current] = this.keys;
    if (current === undefined) throw new Error('there is no secret key');
    return createHmac('sha256', current).update(digest).digest();
  }

  /** Whether any of the keys made it. */
  fits(seal: Buffer, digest: Buffer): boolean {
    return this.keys.some((key) => {
      const expected = createHmac('sha256', key).update(digest).digest();
      return seal.length === expected.length && timingSafeEqual(seal, expected);
    });
  }
}
