import { Injectable } from '@nestjs/common';
import { CredentialStore } from '../credentials/credential-store';
import { AccessNotices } from './access-notices';
import type { Loss } from './access-revalidator';
import type { Candidate } from './revalidation-candidates';

/**
 * Notes that the owner of a credential may not use it any more, and notifies subscribers: once for each
 * credential, for good.
 */
@Injectable()
export class CredentialWithholding {
  constructor(
    private readonly credentials: CredentialStore,
    private readonly notices: AccessNotices,
  ) {}

  /** Does nothing when another gateway was first, or the credential was revoked meanwhile. */
  async withhold(candidate: Candidate, kind: Loss['kind']): Promise<void> {
    await this.credentials.transaction(async (db) => {
      if (await this.credentials.withhold(db, candidate))
        await this.notices.credentialRevoked(db, candidate, kind);
    });
  }
}
