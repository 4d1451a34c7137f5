import { Injectable } from '@nestjs/common';
import { CredentialStore } from '../credentials/credential-store';
import { AccessNotices } from './access-notices';
import type { OwnersLoss } from './access-revalidator';
import type { Candidate } from './revalidation-candidates';

/**
 * Records that the owner of a credential may not use it any more, and notifies subscribers. Both happen once
 * for each credential, and are not undone.
 */
@Injectable()
export class CredentialWithholding {
  constructor(
    private readonly credentials: CredentialStore,
    private readonly notices: AccessNotices,
  ) {}

  /** Does nothing if another gateway has already recorded the loss, or if the credential was revoked. */
  async withhold(candidate: Candidate, kind: OwnersLoss['kind']): Promise<void> {
    await this.credentials.transaction(async (db) => {
      if (await this.credentials.withhold(db, candidate))
        await this.notices.credentialRevoked(db, candidate, kind);
    });
  }
}
