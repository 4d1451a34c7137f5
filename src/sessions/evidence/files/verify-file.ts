import type { EvidenceKeys } from '../../../platform/keys/published-keys';
import { isSigned } from '../../../platform/keys/signature';
import type { RecordingSeal } from '../../format/chain';
import { type ChunkFacts, type Verification, verifyRecording } from '../../format/verification';
import { type Head, factsOf } from './evidence-format';
import { type LedgerReport, verifyLedger } from './evidence-ledger';
import { EvidenceFault, EvidenceReader, type Foot } from './evidence-reader';
import type { FileSeal } from './file-seal';

/** Keys for verification. Each may be absent. */
export interface VerificationKeys {
  /** Keys for the gateway's own seals, derived from `SECRET_KEY`. */
  readonly seals?: { readonly recording: RecordingSeal; readonly file: FileSeal } | undefined;
  /** Public keys for signatures. */
  readonly keys?: Pick<EvidenceKeys, 'get'> | undefined;
}

/** The result of checking a file's seal or signature. `unchecked`: no key was given. */
export type FileCheck = 'fits' | 'absent' | 'unchecked' | 'broken' | 'unknown_key';

export interface FileReport {
  /** The head; undefined if it could not be read. */
  readonly head: Head | undefined;
  readonly verification: Verification | undefined;
  readonly seal: FileCheck;
  readonly signature: FileCheck;
  /** Ids of keys that made a seal or signature but were not given to the verifier. */
  readonly unknownKeys: readonly string[];
  /**
   * Whether public keys were given, but neither a signature nor a seal proves who made the file. If such a
   * file has no fault, it is a file of version 1, because in any later version a removed signature is a
   * fault.
   */
  readonly isUnproven: boolean;
  /** Faults as sentences. Empty: nothing is wrong with the file and its recording. */
  readonly faults: readonly string[];
}

/** Verifies a file of evidence as a stream. */
export async function verifyFile(file: AsyncIterable<Buffer>, means: VerificationKeys): Promise<FileReport> {
  const reader = new EvidenceReader(file);
  const findings = new Findings(means);
  let head: Head | undefined;
  let verification: Verification | undefined;
  let ledger: LedgerReport | undefined;
  try {
    head = await reader.head();
    findings.version = head.version;
    ledger = await verifyLedger(head, means.keys);
    const { seals } = means;
    verification = await verifyRecording(
      factsOf(head),
      findings.chunks(reader),
      seals && ((seal, end) => seals.recording.check(seal, end)),
    );
  } catch (error) {
    if (!(error instanceof EvidenceFault)) throw error;
    findings.faults.unshift(sentence(error.message));
  }
  const { faults, seal, signature, unknownKeys, isUnproven } = findings;
  faults.push(...(ledger?.faults ?? []).map(sentence));
  for (const { seq, reason } of verification?.faults ?? [])
    faults.push(sentence(seq === null ? reason : `chunk ${seq}: ${reason}`));
  const unknown = [...unknownKeys, ...(ledger?.unknownKeys ?? []), verification?.unknownKey ?? ''];
  return {
    head,
    verification,
    seal,
    signature,
    unknownKeys: [...new Set(unknown)].filter((id) => id !== ''),
    isUnproven,
    faults,
  };
}

/** Checks the file's own digest, seal and signature after all chunks were read. */
class Findings {
  readonly faults: string[] = [];
  readonly unknownKeys: string[] = [];
  seal: FileCheck = 'unchecked';
  signature: FileCheck = 'unchecked';
  isUnproven = false;
  /** The version of the file's form. Files of version 1 were not signed. */
  version = 0;

  constructor(private readonly means: VerificationKeys) {}

  async *chunks(reader: EvidenceReader): AsyncGenerator<ChunkFacts> {
    let count = 0;
    const chunks = reader.chunks();
    for (;;) {
      const next = await chunks.next();
      if (next.done === true) return await this.foot(next.value, count);
      count += 1;
      yield next.value;
    }
  }

  private async foot(foot: Foot, count: number): Promise<void> {
    if (!foot.isIntact) this.faults.push('The file is not as it was downloaded: its digest is another.');
    if (foot.chunks !== count) this.faults.push(`The file has ${count} chunks instead of ${foot.chunks}.`);
    this.checkSeal(foot);
    await this.checkSignature(foot);
  }

  private checkSeal({ seal, sealed }: Foot): void {
    if (this.means.seals === undefined) return;
    const check = this.means.seals.file.check(seal, sealed);
    this.seal = check.state;
    if (check.state === 'unknown_key') this.unknownKeys.push(check.keyId);
    if (check.state === 'broken') this.faults.push('The seal of the file is invalid: the file was changed.');
  }

  private async checkSignature({ signature, sealed }: Foot): Promise<void> {
    if (signature === undefined) return this.noteUnsigned();
    if (this.means.keys === undefined) return;
    const key = this.means.keys.get(signature.keyId);
    if (key === undefined) {
      this.signature = 'unknown_key';
      this.unknownKeys.push(signature.keyId);
      return;
    }
    const fits = await isSigned('evidence file', sealed, signature.bytes, key.publicKey).catch(() => false);
    this.signature = fits ? 'fits' : 'broken';
    if (!fits) this.faults.push('The signature of the file is invalid: the file was changed.');
  }

  /**
   * Handles a missing signature. If the verifier has public keys and no valid seal proves the file, this is a
   * fault, because a forger can remove a signature. Files of version 1 were never signed.
   */
  private noteUnsigned(): void {
    this.signature = 'absent';
    this.isUnproven = this.means.keys !== undefined && this.seal !== 'fits';
    if (this.isUnproven && this.version !== 1) this.faults.push('The file has no signature: it was removed.');
  }
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
