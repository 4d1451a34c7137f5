import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings';
import { OpenSessions } from '../kit/open-sessions';
import { AdmittedChannels } from './admitted-channels';
import { ConnectionVisit } from './connection-visit';
import { refusedForwards } from './forwards/client-forwards';
import { SshFrontend } from './proxy-frontend';
import { RefusedChannel } from './refused-channel';
import type { SignedInSshClient } from './signed-in-client';

/** Time within which a refused client must open a channel, in which it gets the reason. */
const REFUSED_WITHIN_MS = 10_000;

/** Serves signed-in clients: admits them, and opens a session at the gate for each of their channels. */
@Injectable()
export class SshGatewayFrontend extends SshFrontend {
  constructor(
    private readonly channels: AdmittedChannels,
    private readonly sessions: OpenSessions,
    private readonly settings: Settings,
  ) {
    super();
  }

  async serve(client: SignedInSshClient): Promise<void> {
    // Registers the client before all else, so that a gateway that stops meanwhile waits for it.
    const visit = new ConnectionVisit(client.connection, this.settings.sshProxy.idleMinutes * 60_000);
    const over = this.sessions.register(visit);
    try {
      const channels = await this.channels.open(client, () => visit.active(), visit);
      if (typeof channels === 'string') return await refuse(client, visit, channels);
      client.connection.forwards.take(channels.forwards(client.connection, visit));
      try {
        await visit.serve((started) => channels.serve(started));
      } finally {
        channels.close();
      }
    } finally {
      over();
    }
  }
}

async function refuse(client: SignedInSshClient, visit: ConnectionVisit, message: string): Promise<void> {
  const { connection } = client;
  connection.forwards.take(refusedForwards(message));
  const late = setTimeout(() => connection.close(), REFUSED_WITHIN_MS).unref();
  await visit.serve((started) => new RefusedChannel(started, message));
  clearTimeout(late);
}
