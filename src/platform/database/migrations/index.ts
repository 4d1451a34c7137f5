import { FirstTurn1763700000000 } from './1763700000000-first-turn';
import { Administration1763800000000 } from './1763800000000-administration';
import { RowTotals1763900000000 } from './1763900000000-row-totals';
import { GuardrailEngine1764000000000 } from './1764000000000-guardrail-engine';
import { SessionList1764100000000 } from './1764100000000-session-list';
import { SessionKill1764200000000 } from './1764200000000-session-kill';
import { RecordingStore1764300000000 } from './1764300000000-recording-store';
import { DownloadLinks1764400000000 } from './1764400000000-download-links';
import { SessionLife1764500000000 } from './1764500000000-session-life';
import { Retention1764600000000 } from './1764600000000-retention';
import { ConnectionCredentials1764700000000 } from './1764700000000-connection-credentials';
import { GuardrailChanges1764800000000 } from './1764800000000-guardrail-changes';
import { SharedRowsOfWords1764850000000 } from './1764850000000-shared-rows-of-words';
import { Reviews1764900000000 } from './1764900000000-reviews';
import { Events1765000000000 } from './1765000000000-events';
import { ApprovedScripts1765100000000 } from './1765100000000-approved-scripts';
import { ApprovedAccess1765200000000 } from './1765200000000-approved-access';
import { GrantedSessions1765300000000 } from './1765300000000-granted-sessions';
import { WithheldAccess1765400000000 } from './1765400000000-withheld-access';
import { StoppedBy1765500000000 } from './1765500000000-stopped-by';
import { SecretKeys1766100000000 } from './1766100000000-secret-keys';
import { SessionLedger1766110000000 } from './1766110000000-session-ledger';
import { Reasons1766200000000 } from './1766200000000-reasons';
import { NormalNames1766210000000 } from './1766210000000-normal-names';
import { AccessControlOn1766220000000 } from './1766220000000-access-control-on';
import { ToldReasons1766230000000 } from './1766230000000-told-reasons';
import { ConnectionReachability1766300000000 } from './1766300000000-connection-reachability';
import { ReviewedCalls1766310000000 } from './1766310000000-reviewed-calls';
import { McpPolicy1766410000000 } from './1766410000000-mcp-policy';
import { Authorization1766420000000 } from './1766420000000-authorization';
import { McpTools1766425000000 } from './1766425000000-mcp-tools';
import { SessionCalls1766431000000 } from './1766431000000-session-calls';
import { TokensOfOrganizations1766440000000 } from './1766440000000-tokens-of-organizations';
import { McpStates1766480000000 } from './1766480000000-mcp-states';
import { UpstreamTokens1766500000000 } from './1766500000000-upstream-tokens';
import { UpstreamSignIns1766600000000 } from './1766600000000-upstream-sign-ins';
import { AuditLines1766710000000 } from './1766710000000-audit-lines';
import { ReadyAnswers1766720000000 } from './1766720000000-ready-answers';
import { CoveringSessionIndexes1766725000000 } from './1766725000000-covering-session-indexes';
import { ToldPast1766730000000 } from './1766730000000-told-past';
import { ToldReviews1766740000000 } from './1766740000000-told-reviews';
import { PortalSessions1766800000000 } from './1766800000000-portal-sessions';
import { ReviewContext1766850000000 } from './1766850000000-review-context';
import { Scim1766860000000 } from './1766860000000-scim';
import { CommandLineSignIn1766875000000 } from './1766875000000-command-line-sign-in';
import { EventExport1766905000000 } from './1766905000000-event-export';
import { RecordingArchive1766940000000 } from './1766940000000-recording-archive';
import { AfterReviews1766950000000 } from './1766950000000-after-reviews';
import { EmergencyAccess1766960000000 } from './1766960000000-emergency-access';
import { TriedMoves1766965000000 } from './1766965000000-tried-moves';
import { KeptRecordings1766970000000 } from './1766970000000-kept-recordings';
import { FollowedReviews1766980000000 } from './1766980000000-followed-reviews';
import { EndedPortalSessions1766990000000 } from './1766990000000-ended-portal-sessions';
import { PortalRequests1766995000000 } from './1766995000000-portal-requests';
import { UnassignedActive1766998000000 } from './1766998000000-unassigned-active';
import { SshHostKeys1767010000000 } from './1767010000000-ssh-host-keys';
import { SshUserCa1767020000000 } from './1767020000000-ssh-user-ca';
import { SshPublicKeys1767040000000 } from './1767040000000-ssh-public-keys';
import { ScriptStarts1767050000000 } from './1767050000000-script-starts';

/** In the order in which they run. A migration that has been released is never edited. */
export const migrations = [
  FirstTurn1763700000000,
  Administration1763800000000,
  RowTotals1763900000000,
  GuardrailEngine1764000000000,
  SessionList1764100000000,
  SessionKill1764200000000,
  RecordingStore1764300000000,
  DownloadLinks1764400000000,
  SessionLife1764500000000,
  Retention1764600000000,
  ConnectionCredentials1764700000000,
  GuardrailChanges1764800000000,
  SharedRowsOfWords1764850000000,
  Reviews1764900000000,
  Events1765000000000,
  ApprovedScripts1765100000000,
  ApprovedAccess1765200000000,
  GrantedSessions1765300000000,
  WithheldAccess1765400000000,
  StoppedBy1765500000000,
  SecretKeys1766100000000,
  SessionLedger1766110000000,
  Reasons1766200000000,
  NormalNames1766210000000,
  AccessControlOn1766220000000,
  ToldReasons1766230000000,
  ConnectionReachability1766300000000,
  ReviewedCalls1766310000000,
  McpPolicy1766410000000,
  Authorization1766420000000,
  McpTools1766425000000,
  SessionCalls1766431000000,
  TokensOfOrganizations1766440000000,
  McpStates1766480000000,
  UpstreamTokens1766500000000,
  UpstreamSignIns1766600000000,
  AuditLines1766710000000,
  ReadyAnswers1766720000000,
  CoveringSessionIndexes1766725000000,
  ToldPast1766730000000,
  ToldReviews1766740000000,
  PortalSessions1766800000000,
  ReviewContext1766850000000,
  Scim1766860000000,
  CommandLineSignIn1766875000000,
  EventExport1766905000000,
  RecordingArchive1766940000000,
  AfterReviews1766950000000,
  EmergencyAccess1766960000000,
  TriedMoves1766965000000,
  KeptRecordings1766970000000,
  FollowedReviews1766980000000,
  EndedPortalSessions1766990000000,
  PortalRequests1766995000000,
  UnassignedActive1766998000000,
  SshHostKeys1767010000000,
  SshUserCa1767020000000,
  SshPublicKeys1767040000000,
  ScriptStarts1767050000000,
] as const;
