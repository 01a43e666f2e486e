"""Replaces `cloudflare/proxy-everything`, the sidecar that workerd starts beside each local Container, if that image is not available.
The Container shares the sidecar's network.

It works as the original does. It sends each connection of the Container to outside its own network to workerd, with HTTP CONNECT and the
requested name. It answers the Container's DNS questions for the names that workerd intercepts. It lets workerd reach the Container's
ports. It does not decrypt TLS and resolves no other names, so that even a Container that may use the internet cannot reach it.
"""

import argparse
import http.server
import ipaddress
import json
import os
import signal
import socket
import socketserver
import struct
import subprocess
import threading
from fnmatch import fnmatch

TCP_PORT = 41209
DNS_PORT = 5300
HTTP_PORT = 80
# linux/netfilter_ipv4.h: the original destination of a redirected connection.
SO_ORIGINAL_DST = 80
# Every intercepted name has this address: traffic to it is redirected like any other.
INTERCEPTED_ADDRESS = "11.0.0.1"
MAX_HEADER_BYTES = 128 * 1024
CONNECT_SECONDS = 5


class Egress:
    """workerd's settings for the Container's outgoing traffic; it may change them at any time."""

    def __init__(self, port):
        self.gateway = default_gateway()
        self.port = port
        self.names = []

    def update(self, told):
        self.port = told.get("port", self.port)
        self.names = [name.lower() for name in told.get("dns", {}).get("allowHostnames", self.names)]

    def intercepts(self, name):
        return any(fnmatch(name.lower(), pattern) for pattern in self.names)

    def connect(self, destination, name):
        """A tunnel to workerd. Raises OSError if workerd refuses."""
        lines = [f"CONNECT {destination} HTTP/1.1", f"Host: {destination}", "Connection: close"]
        if name is not None:
            lines.append(f"X-Hostname: {name}")
        tunnel = socket.create_connection((self.gateway, self.port), CONNECT_SECONDS)
        tunnel.settimeout(None)
        tunnel.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        head, rest = read_head(tunnel)
        if not head.split(b" ", 2)[1].startswith(b"2"):
            tunnel.close()
            raise ConnectionRefusedError(head.decode(errors="replace"))
        return tunnel, rest


def default_gateway():
    """The host's address on the bridge, where workerd listens."""
    with open("/proc/net/route") as routes:
        for line in routes.readlines()[1:]:
            _, destination, gateway, *_ = line.split()
            if destination == "00000000":
                return socket.inet_ntoa(struct.pack("<L", int(gateway, 16)))
    raise SystemExit("no default route")


def read_head(connection):
    """A message's head, and the bytes received with it. Raises OSError if it ends early or is endless."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece or len(data) > MAX_HEADER_BYTES:
            raise ConnectionResetError("no end of the head")
        data += piece
    end = data.index(b"\r\n\r\n") + 4
    return data[:end], data[end:]


def host_of(head):
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"host":
            return value.strip().decode(errors="replace")
    return None


def pump_both_ways(one, other):
    """Copies until both sides have ended. The end of one direction is passed to the other side."""
    back = threading.Thread(target=pump, args=(other, one), daemon=True)
    back.start()
    pump(one, other)
    back.join()


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        # One side is gone: close the other side too.
        for side in (source, sink):
            try:
                side.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Outgoing(socketserver.BaseRequestHandler):
    """A connection that the Container opened, to any destination."""

    def handle(self):
        original = self.request.getsockopt(socket.SOL_IP, SO_ORIGINAL_DST, 16)
        port = struct.unpack("!2xH", original[:4])[0]
        try:
            # Only plain HTTP sends a name before the first answer.
            head, rest = read_head(self.request) if port == HTTP_PORT else (b"", b"")
            destination = f"{socket.inet_ntoa(original[4:8])}:{port}"
            tunnel, early = egress.connect(destination, host_of(head) if head else None)
        except OSError as error:
            print(f"cannot forward a connection to port {port}: {error}", flush=True)
            # Closed with a reset, like a port without a listener.
            self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return
        with tunnel:
            tunnel.sendall(head + rest)
            self.request.sendall(early)
            pump_both_ways(self.request, tunnel)


class Question(socketserver.BaseRequestHandler):
    """A DNS question (RFC 1035, section 4)."""

    NAME_ERROR = 3
    ADDRESS = 1

    def handle(self):
        packet, connection = self.request
        try:
            name, end = self.read_name(packet)
            kind = struct.unpack_from("!H", packet, end)[0]
        except (IndexError, struct.error):
            return
        known = egress.intercepts(name)
        answers = 1 if known and kind == self.ADDRESS else 0
        flags = 0x8400 | (0 if known else self.NAME_ERROR)
        reply = packet[:2] + struct.pack("!HHHHH", flags, 1, answers, 0, 0) + packet[12 : end + 4]
        if answers:
            reply += struct.pack("!HHHLH", 0xC00C, kind, 1, 60, 4) + socket.inet_aton(INTERCEPTED_ADDRESS)
        connection.sendto(reply, self.client_address)

    @staticmethod
    def read_name(packet):
        labels, at = [], 12
        while length := packet[at]:
            labels.append(packet[at + 1 : at + 1 + length].decode(errors="replace"))
            at += 1 + length
        return ".".join(labels), at + 1


class Ingress(http.server.BaseHTTPRequestHandler):
    """workerd reaches the Container's ports here, and sends the names to intercept."""

    protocol_version = "HTTP/1.1"

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_PUT(self):
        egress.update(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.answer(204)

    def do_GET(self):
        # The certificate of the authority that decrypts TLS.
        self.answer(200)

    def do_CONNECT(self):
        host, port = self.headers["X-Dst-Addr"].rsplit(":", 1)
        try:
            target = socket.create_connection((host, int(port)), CONNECT_SECONDS)
        except OSError:
            # workerd reads this as a Container that does not listen yet.
            self.answer(400)
            return
        target.settimeout(None)
        self.send_response(200)
        self.end_headers()
        self.wfile.flush()
        with target:
            pump_both_ways(self.connection, target)
        self.close_connection = True

    def log_message(self, *_):
        pass


class ThreadingUDPServer(socketserver.ThreadingMixIn, socketserver.UDPServer):
    daemon_threads = True


class ThreadingTCPServer(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128


def redirect(own_network):
    """Redirects traffic that leaves the network to the two servers. Incoming traffic and this process's tunnels to the gateway stay."""

    def rule(*arguments):
        subprocess.run(["iptables", "-t", "nat", "-A", "OUTPUT", *arguments], check=True)

    for network in ("127.0.0.0/8", own_network):
        rule("-d", network, "-j", "RETURN")
    rule("-p", "tcp", "-j", "REDIRECT", "--to-ports", str(TCP_PORT))
    rule("-p", "udp", "--dport", "53", "-j", "REDIRECT", "--to-ports", str(DNS_PORT))


parser = argparse.ArgumentParser()
parser.add_argument("--http-egress-port", type=int, required=True)
parser.add_argument("--http-ingress-address", required=True)
parser.add_argument("--docker-gateway-cidr", type=ipaddress.ip_network, required=True)
for unused in ("--dns-enabled", "--tls-intercept", "--disable-ipv6"):
    parser.add_argument(unused, action="store_true")
options = parser.parse_args()

# The first process of a container ignores signals without a handler.
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
egress = Egress(options.http_egress_port)
redirect(str(options.docker_gateway_cidr))
# A redirection ends on loopback: the Container would ignore an answer from any other address.
for server in (ThreadingTCPServer(("127.0.0.1", TCP_PORT), Outgoing), ThreadingUDPServer(("127.0.0.1", DNS_PORT), Question)):
    threading.Thread(target=server.serve_forever, daemon=True).start()
ingress_host, ingress_port = options.http_ingress_address.rsplit(":", 1)
http.server.ThreadingHTTPServer((ingress_host, int(ingress_port)), Ingress).serve_forever()
