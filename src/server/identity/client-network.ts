import { isIPv6 } from 'node:net';

const GROUPS = 8;
/** Half of an IPv6 address names the network; a household chooses the other half freely. */
const NETWORK_GROUPS = 4;

/** What one client cannot easily change about its address: all of an IPv4 address, the /64 network of an IPv6 one. */
export const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array<string>(Math.max(0, GROUPS - left.length - right.length)).fill('0'), ...right];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
};
