import { createServer, connect, type Server, type Socket } from 'node:net';

interface Place {
  readonly host: string;
  readonly port: number;
}

interface Link {
  /** The machines at its two ends, as far as they are known. */
  readonly ends: Set<string>;
  readonly sockets: Set<Socket>;
  /** Goes on after the network is back. */
  resume(): void;
}

export type Network = ReturnType<typeof createNetwork>;

/** Beyond this nobody says who they are any more. */
const INTRODUCTION_BYTES = 4_096;

/** Who connects, as a client of PostgreSQL tells: the `application_name` of its startup packet. */
const introducedAs = (opening: Buffer): string | undefined =>
  /\0application_name\0([^\0]+)\0/.exec(opening.toString('latin1'))?.[1];

/**
 * The cables between machines that are all on this one. A cut one is silent, as one that was pulled out: nothing
 * arrives, nothing is refused, nobody is told; what was on its way arrives when it is back.
 */
export const createNetwork = () => {
  /** Each is machines, all of which a cut cable leads to. */
  const cuts = new Map<string, readonly string[]>();
  const links = new Set<Link>();
  const servers: Server[] = [];
  const leadsTo = ({ ends }: Link, machines: readonly string[]): boolean => machines.every((one) => ends.has(one));
  const isCut = (link: Link): boolean => [...cuts.values()].some((machines) => leadsTo(link, machines));

  const join = (near: Socket, to: Place, ends: readonly string[], machines: readonly string[]): void => {
    const far = connect({ ...to, allowHalfOpen: true });
    const link: Link = {
      ends: new Set(ends),
      sockets: new Set([near, far]),
      resume: () => {
        if (near.destroyed || far.destroyed) end();
        near.resume();
        far.resume();
      },
    };
    const end = (): void => {
      links.delete(link);
      near.destroy();
      far.destroy();
    };
    links.add(link);
    let opening: Buffer | undefined = Buffer.alloc(0);
    const introduce = (chunk: Buffer): void => {
      if (opening === undefined) return;
      opening = Buffer.concat([opening, chunk]);
      const name = introducedAs(opening);
      if (name !== undefined && machines.includes(name)) link.ends.add(name);
      if (name !== undefined || opening.length > INTRODUCTION_BYTES) opening = undefined;
    };
    const carry = (from: Socket, other: Socket): void => {
      from.on('data', (chunk: Buffer) => {
        if (from === near) introduce(chunk);
        if (isCut(link)) {
          // Arrived too late to be carried: it waits like all that comes after it.
          from.pause();
          from.unshift(chunk);
          return;
        }
        if (other.write(chunk)) return;
        from.pause();
        other.once('drain', () => {
          if (!isCut(link)) from.resume();
        });
      });
      from.on('end', () => other.end());
      from.on('error', () => {});
      // Through a cut cable nobody hears that the other side is gone.
      from.on('close', () => {
        if (!isCut(link)) end();
      });
    };
    carry(near, far);
    carry(far, near);
    if (isCut(link)) for (const socket of link.sockets) socket.pause();
  };

  const between = (machines: readonly string[]): Link[] => [...links].filter((link) => leadsTo(link, machines));

  return {
    /**
     * Lays a cable from one place to another; `ends` are the machines it leads to, and of `machines` it learns who
     * connects.
     */
    lay: async (from: Place, to: Place, ends: readonly string[], machines: readonly string[] = []): Promise<void> => {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => join(near, to, ends, machines));
      servers.push(server);
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(from.port, from.host, resolve);
      });
    },
    /** Pulls out every cable of a machine, or those between two. */
    cut: (...machines: string[]): void => {
      cuts.set(machines.join(), machines);
      for (const { sockets } of between(machines)) for (const socket of sockets) socket.pause();
    },
    mend: (...machines: string[]): void => {
      cuts.delete(machines.join());
      for (const link of between(machines)) if (!isCut(link)) link.resume();
    },
    /** The network is back, and nobody knows of a connection any more: what was on its way is lost. */
    restart: (...machines: string[]): void => {
      cuts.delete(machines.join());
      for (const { sockets } of between(machines)) for (const socket of sockets) socket.destroy();
    },
    close: (): void => {
      for (const server of servers) server.close();
      for (const { sockets } of links) for (const socket of sockets) socket.destroy();
    },
  };
};
