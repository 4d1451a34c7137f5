import type { AnyAuthMethod, ParsedKey, Prompt } from 'ssh2';
import { type SshFault, type SshFaultCode, sshFault } from './ssh-faults';

/** Proof of who signs in: a password, a private key, or a key with a certificate of the gateway. */
export type SignInProof =
  | { readonly password: string }
  | { readonly key: ParsedKey }
  | { readonly certified: ParsedKey };

/**
 * Chooses the methods of a sign-in, one after another, as the driver asks for them. A password is sent once,
 * because each refusal may count towards locking the account.
 */
export class SignInMethods {
  private readonly tried = new Set<string>();
  private asksForMore = false;
  private hasOldSignature = false;
  /** Methods with which the server lets the client continue; null before its first answer. */
  private left: readonly string[] | null = null;

  constructor(
    private readonly username: string,
    private readonly proof: SignInProof,
  ) {}

  /**
   * Returns the next method, or false.
   * @param left names of the methods with which the server lets the client continue; null before the first
   * @param isPartial whether the last method succeeded, and the server asks for another one
   */
  next(left: readonly string[] | null, isPartial: boolean | null): AnyAuthMethod | false {
    this.left = left;
    this.asksForMore ||= isPartial === true;
    if (this.asksForMore) return false;
    const { proof } = this;
    if ('password' in proof) return this.byPassword(proof.password, left);
    return this.byKey('key' in proof ? proof.key : proof.certified);
  }

  /** Returns the reason for which the sign-in failed. */
  get fault(): SshFault {
    return sshFault(this.faultCode());
  }

  private faultCode(): SshFaultCode {
    if (this.asksForMore) return 'SECOND_FACTOR';
    if ('certified' in this.proof) return 'CERTIFICATE_REFUSED';
    if (this.hasOldSignature) return 'NO_MODERN_SIGNATURE';
    if (this.left === null) return 'key' in this.proof ? 'NO_MODERN_SIGNATURE' : 'REFUSED';
    if ('key' in this.proof) return this.left.includes('publickey') ? 'REFUSED' : 'NO_KEYS';
    const takesPasswords = this.tried.has('keyboard-interactive') || this.left.includes('password');
    return takesPasswords ? 'REFUSED' : 'NO_PASSWORDS';
  }

  private byKey(key: ParsedKey): AnyAuthMethod | false {
    if (this.tried.has('publickey')) return false;
    this.tried.add('publickey');
    return { type: 'publickey', username: this.username, key: this.withoutSha1(key) };
  }

  private byPassword(password: string, left: readonly string[] | null): AnyAuthMethod | false {
    const { username } = this;
    if (left === null) {
      this.tried.add('password');
      return { type: 'password', username, password };
    }
    // A server that takes passwords has just refused this one.
    const isOther = left.includes('keyboard-interactive') && !left.includes('password');
    if (!isOther || this.tried.has('keyboard-interactive')) return false;
    this.tried.add('keyboard-interactive');
    let isAnswered = false;
    return {
      type: 'keyboard-interactive',
      username,
      prompt: (_name, _instructions, _language, prompts: Prompt[], finish) => {
        // The password answers one question, which the server does not show on the screen. A server asks
        // again after a wrong answer; an answer without a text ends that.
        const isPassword = !isAnswered && prompts.length === 1 && prompts[0]?.echo !== true;
        isAnswered = true;
        finish(isPassword ? [password] : prompts.map(() => ''));
      },
    };
  }

  /** The driver signs with SHA-1 if the server names no other signature for RSA keys. */
  private withoutSha1(key: ParsedKey): ParsedKey {
    const sign = key.sign.bind(key);
    return Object.assign(Object.create(key) as ParsedKey, {
      sign: (data: Buffer | string, algorithm?: string): Buffer => {
        if (algorithm !== 'sha1') return sign(data, algorithm);
        this.hasOldSignature = true;
        // The driver reads a returned error as a failed signature.
        return new Error('SHA-1') as never;
      },
    });
  }
}
