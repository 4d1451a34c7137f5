import { Injectable } from '@nestjs/common';
import { type CryptoKey, type JWTHeaderParameters, createRemoteJWKSet, customFetch, errors } from 'jose';
import { IdentityProviderSettings } from '../../../platform/config/groups';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import { boundedFetch } from './bounded-fetch';
import { IdentityProviderClient, PROVIDER_RETRY_MS } from './identity-provider.client';

/** Minimum time between two fetches of the key set because of an unknown `kid`. */
const COOLDOWN_MS = 30_000;

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/**
 * The identity provider's signing keys (JWKS), fetched at first use. A token with an unknown key causes
 * another fetch, so that no token is refused after a rotation. A cooldown limits these fetches, because
 * anybody can make up key ids. The first fetch does not start the cooldown; otherwise, after a rotation soon
 * after the start, valid tokens would be refused until the cooldown ends.
 */
@Injectable()
export class SigningKeys {
  private keySet: Promise<KeySet> | undefined;
  private reloading: Promise<void> | undefined;
  private askAgainAt = 0;

  constructor(
    private readonly provider: IdentityProviderClient,
    private readonly clock: Clock,
    private readonly settings: IdentityProviderSettings,
  ) {}

  /**
   * Returns the key that a token's header names, if the provider has it.
   * @throws AppError `unavailable` when there is no key set
   */
  async find(header: JWTHeaderParameters): Promise<CryptoKey | undefined> {
    try {
      const keys = await this.keys();
      if (!keys.fresh) await this.reload(keys);
      return (await known(keys, header)) ?? (await this.askAgain(keys, header));
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError(
        'unavailable',
        'the keys of the identity provider cannot be read, try again shortly',
        { cause: error, retryAfterSeconds: 5 },
      );
    }
  }

  private async askAgain(keys: KeySet, header: JWTHeaderParameters): Promise<CryptoKey | undefined> {
    const mayAsk = this.reloading !== undefined || this.clock.now() >= this.askAgainAt;
    if (mayAsk) await this.reload(keys);
    // Searches again even if this call fetched nothing, because another request may have fetched the keys.
    return known(keys, header);
  }

  /**
   * Runs one fetch at a time. A failure is cached for `PROVIDER_RETRY_MS`, so that a provider with problems
   * is not flooded.
   */
  private reload(keys: KeySet): Promise<void> {
    this.reloading ??= this.fetchAnew(keys);
    return this.reloading;
  }

  private async fetchAnew(keys: KeySet): Promise<void> {
    const isFirst = !keys.fresh;
    try {
      await keys.reload();
      if (!isFirst) this.askAgainAt = this.clock.now() + COOLDOWN_MS;
      this.reloading = undefined;
    } catch (error) {
      setTimeout(() => (this.reloading = undefined), PROVIDER_RETRY_MS).unref();
      throw error;
    }
  }

  private keys(): Promise<KeySet> {
    this.keySet ??= this.remoteKeySet().catch((error: unknown) => {
      this.keySet = undefined;
      throw error;
    });
    return this.keySet;
  }

  private async remoteKeySet(): Promise<KeySet> {
    const { jwks_uri } = (await this.provider.configuration()).serverMetadata();
    if (jwks_uri === undefined) throw new AppError('unavailable', 'the identity provider publishes no keys');
    return createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: this.settings.timeoutSeconds * 1000,
      // Prevents fetches by the library, because this class decides when to fetch.
      cooldownDuration: Number.POSITIVE_INFINITY,
      [customFetch]: boundedFetch,
    });
  }
}

async function known(keys: KeySet, header: JWTHeaderParameters): Promise<CryptoKey | undefined> {
  try {
    return await keys(header);
  } catch (error) {
    // Only a token without `kid` can match several keys. The gateway does not try all of them.
    const isUnknown =
      error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
    if (isUnknown) return undefined;
    throw error;
  }
}
