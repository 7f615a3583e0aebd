import { createServer, request } from 'node:http';

/**
 * One address for both apps, as a load balancer gives: each request goes to one that runs. Webhooks come this way. A
 * broken connection is answered 502, and what was sent may have been done.
 */
export const openFrontDoor = async (livePorts: () => readonly number[]) => {
  let turn = 0;
  const server = createServer((from, to) => {
    const ports = livePorts();
    turn += 1;
    const port = ports[turn % Math.max(1, ports.length)];
    if (port === undefined) return void to.writeHead(503).end();
    const { method, url: path, headers } = from;
    const upstream = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => to.destroy());
      answer.pipe(to);
    });
    upstream.on('error', () => {
      if (to.headersSent) to.destroy();
      else to.writeHead(502).end();
    });
    to.on('close', () => upstream.destroy());
    from.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
