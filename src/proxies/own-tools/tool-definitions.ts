import type { JsonObject } from '../../kernel/json/json';
import type { Principal } from '../../kernel/principal';

/** One argument of a tool. */
export interface ArgumentDefinition {
  readonly name: string;
  /** Name of the route's parameter or body field. Default: the name of the argument. */
  readonly as?: string;
  /** Replacements for parts of the API's schema. A `default` is sent when the argument is absent. */
  readonly schema?: JsonObject;
  /** Returns the value to send when the argument is absent although the route requires it. */
  readonly absent?: (caller: Principal) => string;
}

/** A tool that calls one route of the REST API, with a name and description for a language model. */
export interface RouteToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `operationId` in the API description, which defines the route and its schemas. */
  readonly operation: string;
  readonly arguments: readonly ArgumentDefinition[];
  /**
   * Fields of the answer that the tool omits, because they repeat other fields and would only lengthen the
   * input of a model.
   */
  readonly without?: readonly string[];
  readonly effect: 'reads' | 'changes' | 'destroys';
  /** Whether repeating a call has no further effect. */
  readonly isIdempotent: boolean;
}

/** Schema of `page_size` in the tools. The API's own default and maximum are 1000 items. */
const PAGE_SIZE = { default: 20, minimum: 1, maximum: 100, description: 'Items on a page.' };
const CONNECTION: ArgumentDefinition = { name: 'connection', as: 'nameOrID' };
const REVIEW: ArgumentDefinition = {
  name: 'review_id',
  as: 'id',
  schema: { description: 'Id of the review, or of the session that waits for it.' },
};
const SESSION: ArgumentDefinition = { name: 'session_id', schema: { description: 'Id of the session.' } };
const PAGE: readonly ArgumentDefinition[] = [{ name: 'page' }, { name: 'page_size', schema: PAGE_SIZE }];

const read = { effect: 'reads', isIdempotent: true } as const;

/** The tools that call one route each. */
export const TOOL_DEFINITIONS: readonly RouteToolDefinition[] = [
  {
    name: 'list_connections',
    title: 'List connections',
    description: 'Lists the databases and MCP servers that you may open through the gateway.',
    operation: 'listConnections',
    arguments: [{ name: 'search' }, { name: 'type' }, { name: 'subtype' }, { name: 'attribute' }, ...PAGE],
    ...read,
  },
  {
    name: 'get_connection',
    title: 'Get a connection',
    description: 'Shows one connection: what it is, who may open it, and how its sessions are recorded.',
    operation: 'getConnection',
    arguments: [CONNECTION],
    ...read,
  },
  {
    name: 'explain_access',
    title: 'Explain access to a connection',
    description:
      'Tells whether a connection is open, needs a review or is refused, and why: the rules that apply, and where each comes from. Without "user", it is about you; auditors and admins may name others, and see all rules.',
    operation: 'getEffectivePolicy',
    arguments: [CONNECTION, { name: 'verb' }, { name: 'user' }],
    ...read,
  },
  {
    name: 'run_script',
    title: 'Run a script',
    description:
      'Runs a script on a connection, such as SQL on a database, and returns its output. If "output_status" is "waiting", nothing has run: people decide on the review "review_id", and once it is approved, run_approved_script runs the script. If it is "running", read_session_events shows what comes.',
    operation: 'createSession',
    arguments: [
      { name: 'connection' },
      { name: 'script' },
      { name: 'reason' },
      { name: 'correlation_id' },
      { name: 'labels' },
    ],
    without: ['results'],
    effect: 'destroys',
    isIdempotent: false,
  },
  {
    name: 'run_approved_script',
    title: 'Run an approved script',
    description:
      'Runs the script of a session that waited for a review, once the review is approved. It runs exactly once. Only the requester or an admin may run it.',
    operation: 'execSession',
    arguments: [SESSION],
    without: ['results'],
    effect: 'destroys',
    isIdempotent: false,
  },
  {
    name: 'list_sessions',
    title: 'List sessions',
    description:
      'Lists recorded sessions, newest first: your own and those that you may review; all of them for auditors and admins. "q" searches the words of recorded inputs.',
    operation: 'listSessions',
    arguments: [
      { name: 'connection' },
      { name: 'user' },
      { name: 'status' },
      { name: 'verb' },
      { name: 'review_status', as: 'review.status' },
      { name: 'start_date' },
      { name: 'end_date' },
      { name: 'q' },
      { name: 'limit' },
      { name: 'offset' },
    ],
    ...read,
  },
  {
    name: 'get_session',
    title: 'Get a session',
    description:
      'Shows one session: who, where, when, its script, its review and its outcome. read_session_events reads the recording.',
    operation: 'getSession',
    arguments: [SESSION],
    ...read,
  },
  {
    name: 'list_reviews',
    title: 'List reviews',
    description:
      'Lists reviews, newest first. "mine": "to_decide" are those that wait for your decision, "requested" those that you asked for.',
    operation: 'listReviews',
    arguments: [{ name: 'mine' }, { name: 'status' }, ...PAGE],
    ...read,
  },
  {
    name: 'get_review',
    title: 'Get a review',
    description:
      'Shows one review: who asks, for which connection, call or session, and who has decided what. The script is in the session "session_id".',
    operation: 'getReview',
    arguments: [REVIEW],
    ...read,
  },
  {
    name: 'decide_review',
    title: 'Decide on a review',
    description:
      'Approves ("APPROVED"), rejects ("REJECTED") or withdraws ("REVOKED") a review, as you. What is approved may then run: do this only when the person for whom you act has seen what is asked and said so.',
    operation: 'updateReview',
    arguments: [
      REVIEW,
      { name: 'status', schema: { enum: ['APPROVED', 'REJECTED', 'REVOKED'] } },
      { name: 'rejection_reason' },
      { name: 'time_window' },
      { name: 'force_review' },
      { name: 'force_reason' },
    ],
    effect: 'destroys',
    isIdempotent: false,
  },
];
