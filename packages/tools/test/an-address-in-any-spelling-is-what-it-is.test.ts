// Whether an address is of the whole internet does not depend on how it is written.

import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { kindOfAddress } from '../src/outbound/address.ts';

const octet = fc.integer({ min: 0, max: 255 });
const anywhere = fc.tuple(octet, octet, octet, octet);
// Random addresses rarely fall into a range that counts.
const special = fc
  .constantFrom(
    [127, 0, 0, 0, 8],
    [10, 0, 0, 0, 8],
    [172, 16, 0, 0, 12],
    [192, 168, 0, 0, 16],
    [100, 64, 0, 0, 10],
    [169, 254, 0, 0, 16],
    [0, 0, 0, 0, 8],
    [224, 0, 0, 0, 4],
    [240, 0, 0, 0, 4],
    [198, 18, 0, 0, 15],
    [192, 0, 2, 0, 24],
  )
  .chain(([a, b, c, d, bits]) =>
    anywhere.map((rest) => {
      const base = [a, b, c, d] as number[];
      return base.map((part, i) => mix(part, rest[i] as number, (bits as number) - 8 * i)) as [
        number,
        number,
        number,
        number,
      ];
    }),
  );

function mix(fixed: number, free: number, bits: number): number {
  const mask = bits >= 8 ? 0 : bits <= 0 ? 0xff : 0xff >> bits;
  return fixed | (free & mask);
}

type Octets = readonly [number, number, number, number];

const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
const halves = ([a, b, c, d]: Octets) => `${hex(a, b)}:${hex(c, d)}`;
const turned = (octets: Octets) => octets.map((part) => part ^ 0xff) as unknown as Octets;

const spellings: readonly ((octets: Octets) => string)[] = [
  ([a, b, c, d]) => `${a}.${b}.${c}.${d}`,
  ([a, b, c, d]) => `0x${a.toString(16)}.0${b.toString(8)}.${c}.${d}`,
  ([a, b, c, d]) => `${a}.${b}.${(c << 8) | d}`,
  ([a, b, c, d]) => String(((a << 24) | (b << 16) | (c << 8) | d) >>> 0),
  ([a, b, c, d]) => `0x${(((a << 24) | (b << 16) | (c << 8) | d) >>> 0).toString(16)}`,
  (octets) => `[::ffff:${octets.join('.')}]`,
  (octets) => `[::FFFF:${halves(octets)}]`,
  (octets) => `[0:0:0:0:0:ffff:${halves(octets)}]`,
  (octets) => `[::ffff:0:${halves(octets)}]`,
  (octets) => `[64:ff9b::${halves(octets)}]`,
  (octets) => `[2002:${halves(octets)}::1]`,
  (octets) => `[2001:0:808:808:0:0:${halves(turned(octets))}]`,
];

/** As it stands in a URL that was parsed: what a connection is asked for. */
const parsed = (host: string) => new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '');

const isBenchmark = ([a, b]: Octets) => a === 198 && (b & 0xfe) === 18;

test('an address of the older kind is of the same kind in every spelling', () => {
  fc.assert(
    fc.property(fc.oneof(anywhere, special), fc.constantFrom(...spellings), (octets, spell) => {
      const plain = kindOfAddress(octets.join('.'));
      expect(kindOfAddress(parsed(spell(octets)))).toBe(plain);
      const isPublic = new ipaddr.IPv4([...octets]).range() === 'unicast' && !isBenchmark(octets);
      expect(plain === undefined).toBe(isPublic);
    }),
    { numRuns: 3_000 },
  );
});

test('an address of the newer kind is public only inside 2000::/3, and never with an inner one that is not', () => {
  const part = fc.integer({ min: 0, max: 0xffff });
  const first = fc.oneof(
    part,
    fc.constantFrom(0, 0x64, 0x2001, 0x2002, 0x3fff, 0xfe80, 0xfec0, 0xfc00, 0xff02, 0x2606),
  );
  const zeros = fc.constant(0);
  const address = fc.tuple(first, ...Array.from({ length: 7 }, () => fc.oneof(part, zeros)));
  fc.assert(
    fc.property(address, (parts) => {
      const ip = new ipaddr.IPv6([...parts]);
      const range = ip.range();
      const isCarrier = ['ipv4Mapped', 'rfc6145', 'rfc6052', '6to4', 'teredo'].includes(range);
      const kind = kindOfAddress(ip.toNormalizedString());
      if (!isCarrier && (range !== 'unicast' || parts[0] >> 13 !== 1)) expect(kind).toBeDefined();
      expect(kindOfAddress(ip.toString())).toBe(kind);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['8.8.8.8', undefined],
  ['2606:4700:4700::1111', undefined],
  ['2002:808:808::1', undefined],
  ['172.15.255.255', undefined],
  ['172.32.0.0', undefined],
  ['100.63.255.255', undefined],
  ['169.254.169.254', 'a link-local address'],
  ['fe80::1', 'a link-local address'],
  ['fe80::1%eth0', 'a link-local address'],
  ['fd00:ec2::254', 'a private address'],
  ['100.100.100.200', 'a private address'],
  ['168.63.129.16', 'a reserved address'],
  ['::ffff:168.63.129.16', 'a reserved address'],
  ['168.63.129.17', undefined],
  ['fec0::1', 'a reserved address'],
  ['64:ff9b:1::7f00:1', 'a reserved address'],
  ['2001:db8::1', 'a reserved address'],
  ['255.255.255.255', 'a broadcast address'],
  ['ff02::1', 'a multicast address'],
  ['localhost', 'an address that cannot be read'],
  ['', 'an address that cannot be read'],
])('%s is %s', (address, kind) => {
  expect(kindOfAddress(address)).toBe(kind);
});
