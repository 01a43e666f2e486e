import { describe, expect, it } from "vitest";
import { isPublicAddress } from "../../../src/domain/public-address.ts";

describe("Public addresses", () => {
  it.each([
    "1.1.1.1",
    "93.184.215.14",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:82a::200e",
  ])("%s is an address on the public internet", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ["this network", "0.0.0.0", "0.255.255.255"],
    ["private", "10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.0", "192.168.255.255"],
    ["shared (CGNAT)", "100.64.0.0", "100.127.255.255"],
    ["loopback", "127.0.0.1", "127.255.255.255", "::1"],
    ["link-local", "169.254.0.1", "169.254.169.254", "fe80::1", "febf::1"],
    ["protocol assignments", "192.0.0.1", "192.0.0.170"],
    ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    ["6to4 relays", "192.88.99.1"],
    ["benchmarking", "198.18.0.1", "198.19.255.255", "2001:2::1"],
    ["multicast", "224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
    ["reserved", "240.0.0.1", "255.255.255.255", "4000::1", "8000::1", "5f00::1"],
    ["unspecified", "::"],
    ["unique local", "fc00::1", "fd00:ec2::254"],
    ["site-local", "fec0::1"],
    ["IPv4 in IPv6", "::ffff:10.0.0.1", "::ffff:93.184.215.14", "::ffff:0:7f00:1", "::7f00:1", "::127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1", "64:ff9b::93.184.215.14", "64:ff9b:1::1"],
    ["6to4 and Teredo", "2002:7f00:1::", "2001:0:1::1"],
    ["discard", "100::1"],
    ["with a zone", "fe80::1%eth0", "2606:4700::1%eth0"],
    [
      "no address",
      "",
      "hooks.example.com",
      "cdn.example.net.",
      "1.1.1",
      "1.1.1.1.1",
      "0x7f000001",
      "2130706433",
      "0177.0.0.1",
      "1.1.1.1 ",
    ],
  ])("An address of the kind %s is not public", (_, ...addresses) => {
    for (const address of addresses) expect(isPublicAddress(address), address).toBe(false);
  });
});
