// npm run bench -- sessions: the time of the list by its size, the cost of
// exports and of recording, and the stored size.
import { startGateway } from './gateway.mjs';
import { append } from './sessions/append.mjs';
import { exported } from './sessions/export.mjs';
import { list } from './sessions/list.mjs';
import { wire } from './sessions/wire.mjs';

export default async function sessions() {
  const gateway = await startGateway();
  const recorded = {
    ...(await append(gateway.postgres)),
    ...(await wire(gateway.postgres)),
    ...(await exported(gateway)),
  };
  await gateway.stop();
  return { ratios: { ...(await list()), ...recorded } };
}
