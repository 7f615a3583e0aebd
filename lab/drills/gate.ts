import { createServer as createHttp, request } from 'node:http';
import { connect, createServer as createTcp, type AddressInfo, type Server } from 'node:net';

/** How a service behaves behind a gate: connections end at once, or nothing ever comes back. */
export type Mode = 'cut' | 'hang' | 'well';

export interface Gate {
  readonly url: string;
  set(mode: Mode): void;
  close(): void;
}

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/** Stands before an HTTP service; what `touches` says no to passes whatever the mode. */
export const openHttpGate = async (target: string, touches: (path: string) => boolean): Promise<Gate> => {
  let mode: Mode = 'well';
  const { hostname, port } = new URL(target);
  const server = createHttp((from, to) => {
    const { method, url: path = '/', headers } = from;
    if (mode !== 'well' && touches(path)) {
      if (mode === 'cut') from.socket.destroy();
      return;
    }
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    onward.on('error', () => to.destroy());
    from.pipe(onward);
  });
  const own = await listening(server);
  return {
    url: `http://127.0.0.1:${own}`,
    set: (next) => {
      mode = next;
      // Who waits for nothing has lost it, as when a network comes back.
      server.closeIdleConnections();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** Stands before a service that speaks any protocol over TCP. */
export const openTcpGate = async (target: string): Promise<Gate> => {
  let mode: Mode = 'well';
  const { protocol, hostname, port } = new URL(target);
  const open = new Set<{ destroy(): void }>();
  const server = createTcp((from) => {
    from.on('error', () => {});
    open.add(from);
    from.once('close', () => open.delete(from));
    if (mode === 'cut') return void from.destroy();
    if (mode === 'hang') return;
    const onward = connect(Number(port), hostname);
    onward.on('error', () => from.destroy());
    from.once('close', () => onward.destroy());
    onward.once('close', () => from.destroy());
    from.pipe(onward).pipe(from);
  });
  const own = await listening(server);
  return {
    url: `${protocol}//127.0.0.1:${own}`,
    set: (next) => {
      mode = next;
      for (const socket of open) socket.destroy();
    },
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
};
