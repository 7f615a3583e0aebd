import { isIPv6 } from 'node:net';

const GROUPS = 8;
/** Half of an IPv6 address names the network; a household chooses the other half freely. */
const NETWORK_GROUPS = 4;
/** What a provider gives to one customer at most, who chooses among 65,536 networks then. */
const SITE_GROUPS = 3;

const mappedIPv4 = (address: string): string | undefined => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];

const headOf = (address: string, count: number): string => {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array<string>(Math.max(0, GROUPS - left.length - right.length)).fill('0'), ...right];
  return groups
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
};

/** What one client cannot easily change about its address: all of an IPv4 address, the /64 network of an IPv6 one. */
export const networkOf = (address: string): string =>
  isIPv6(address) ? (mappedIPv4(address) ?? headOf(address, NETWORK_GROUPS)) : address;

/** The /48 around an IPv6 address; undefined for an IPv4 one, which has no such thing. */
export const siteOf = (address: string): string | undefined =>
  isIPv6(address) && mappedIPv4(address) === undefined ? headOf(address, SITE_GROUPS) : undefined;
