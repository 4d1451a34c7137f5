import { randomUUID } from 'node:crypto';
import { type Gateway, type components, answered } from '@access-gateway/client';
import type { Context } from '../context.js';
import { CommandFault, EXIT } from '../exit-codes.js';
import type { Output } from '../shown/output.js';
import { readTextFile, strictArgument } from '../text-file.js';
import { type ApprovalOptions, approvalOf } from './approval.js';

type Run = components['schemas']['ExecView'];

export interface ExecOptions extends ApprovalOptions {
  readonly command?: string;
  readonly file?: string;
  readonly reason?: string;
  /** False with `--no-wait`. */
  readonly wait: boolean;
}

/** `gateway exec`: returns the exit code of the script. */
export async function exec(context: Context, connection: string, options: ExecOptions): Promise<number> {
  const { gateway, output, signal } = context;
  const script = scriptOf(options);
  // Correlation id by which `stop` finds the session if the user interrupts before the gateway answers.
  const mark = randomUUID();
  try {
    const reason = options.reason === undefined ? {} : { reason: options.reason };
    const body = { connection, script, correlation_id: mark, ...reason };
    let run = await answered(gateway.api.POST('/sessions', { body, signal }));
    if (run.output_status === 'waiting' && run.review_id !== null) {
      if (!options.wait && options.emergency === undefined) return notWaited(context, run);
      await approvalOf(context, run.review_id, options);
      output.say('Approved. The script runs.');
      const params = { path: { session_id: run.session_id } };
      run = await answered(gateway.api.POST('/sessions/{session_id}/exec', { params, body: {}, signal }));
    }
    return await resultOf(gateway, run, output, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    await stop(gateway, mark, output);
    throw new CommandFault('interrupted', EXIT.interrupted);
  }
}

function notWaited({ output }: Context, run: Run): number {
  if (output.format === 'json') output.json(run);
  else output.say(`Review ${String(run.review_id)} has to be approved; the session is ${run.session_id}.`);
  return EXIT.later;
}

async function resultOf(gateway: Gateway, run: Run, output: Output, signal: AbortSignal): Promise<number> {
  const isWhole = run.output_status !== 'running' && !run.truncated;
  if (isWhole && output.format === 'json') output.json(run);
  else if (isWhole) output.parts(run.output, run.results);
  let exitCode = run.exit_code;
  // The output was too long for the response or is not complete yet, so read all of it from the recording.
  if (!isWhole)
    for await (const message of gateway.events(run.session_id, { signal })) {
      if (message.kind === 'end') exitCode = message.exitCode;
      else if (message.type !== 'i') output.content(message.content);
    }
  if (run.output_status === 'blocked' || exitCode === EXIT.blocked)
    output.say(`The gateway blocked or ended the script (session ${run.session_id}).`);
  return exitCode ?? EXIT.fault;
}

/** Ends the running script at the target. Does not end a script that waits for approval. */
async function stop(gateway: Gateway, mark: string, output: Output): Promise<void> {
  for await (const { id, status, review } of gateway.sessions({ correlation_id: mark })) {
    const isWaiting = review !== null && review?.status === 'PENDING';
    if (status !== 'open' || isWaiting) continue;
    await gateway.api
      .POST('/sessions/{session_id}/kill', { params: { path: { session_id: id } } })
      .catch((error: unknown) => output.say(String(error)));
    output.say('The script was ended.');
  }
}

function scriptOf({ command, file }: ExecOptions): string {
  if ((command === undefined) === (file === undefined))
    throw new CommandFault('give a script: -c <sql>, or -f <file> (- for standard input)', EXIT.usage);
  if (command === undefined) return readTextFile(file ?? '', 'the script');
  return strictArgument(command);
}
