// What kind of address something is at: one of the whole internet, or one that only this machine or this network has.

import ipaddr from 'ipaddr.js';

/** As in `it is ${…}`; nothing for an address of the whole internet. What cannot be read is of a kind too. */
export function kindOfAddress(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return 'an address that cannot be read';
  const parsed = ipaddr.parse(address);
  return parsed.kind() === 'ipv4' ? kindOfV4(parsed as ipaddr.IPv4) : kindOfV6(parsed as ipaddr.IPv6);
}

const words: Readonly<Record<string, string>> = {
  unspecified: 'an unspecified address',
  broadcast: 'a broadcast address',
  multicast: 'a multicast address',
  linkLocal: 'a link-local address',
  loopback: 'a loopback address',
  carrierGradeNat: 'a private address',
  private: 'a private address',
  uniqueLocal: 'a private address',
};

const reserved = 'a reserved address';

/** The library takes them for addresses of the whole internet: for measuring networks, and of Azure for its own machines. */
const reservedV4 = ['198.18.0.0/15', '168.63.129.16/32'].map((range) => ipaddr.IPv4.parseCIDR(range));

function kindOfV4(address: ipaddr.IPv4): string | undefined {
  const range = address.range();
  if (range === 'unicast') return reservedV4.some((one) => address.match(one)) ? reserved : undefined;
  return words[range] ?? reserved;
}

const wholeInternet = ipaddr.IPv6.parseCIDR('2000::/3');

/** Parts of it that nobody out there has. Teredo is in the first: it is looked into before. */
const reservedV6 = ['2001::/23', '2001:db8::/32', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range));

function kindOfV6(address: ipaddr.IPv6): string | undefined {
  const inner = addressesInside(address);
  if (inner.length > 0) return inner.map(kindOfV4).find((kind) => kind !== undefined);
  const word = words[address.range()];
  if (word) return word;
  const isPublic = address.match(wholeInternet) && !reservedV6.some((range) => address.match(range));
  return isPublic ? undefined : reserved;
}

/** The addresses of the older kind that a router would send it to. */
function addressesInside(address: ipaddr.IPv6): readonly ipaddr.IPv4[] {
  const { parts } = address;
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
      return [toV4(parts, 6)];
    case 'rfc6052':
      // The one for local use may hold it anywhere: that leads nowhere public.
      return parts[2] === 0 ? [toV4(parts, 6)] : [];
    case '6to4':
      return [toV4(parts, 1)];
    case 'teredo':
      // Its server, and itself with every bit turned over.
      return [
        toV4(parts, 2),
        toV4(
          parts.map((part) => part ^ 0xffff),
          6,
        ),
      ];
    default:
      return [];
  }
}

function toV4(parts: readonly number[], at: number): ipaddr.IPv4 {
  const [high = 0, low = 0] = parts.slice(at, at + 2);
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}
