import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port that is free, below those that the system hands out by itself: what other tests open meanwhile does not take
 * it before it is used, nor does a connection that asks there too early and so meets itself.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(11_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
};
