import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All that is given out for hosts of the internet (IANA); the library calls more of IPv6 `unicast` than that. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Whether an address is of a host of the internet: not of this machine, a private network, a link, nor one that leads
 * to such in another form (mapped, NAT64, 6to4, Teredo).
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
};
