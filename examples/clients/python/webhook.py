import base64, gzip, hashlib, hmac, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote
from handle import handle

KEY = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))

def verified(headers, body):
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256))
    fresh = abs(time.time() - int(headers["webhook-timestamp"] or 0)) < 300
    return fresh and any(hmac.compare_digest(expected, one.encode()) for one in (headers["webhook-signature"] or "").split())

class Hooks(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(min(int(self.headers["content-length"]), 2 << 20))
        if good := verified(self.headers, body):
            attribute = lambda name: (value := self.headers["ce-" + name]) and unquote(value)  # they are percent-encoded
            utf8 = lambda value: value and value.encode("latin-1").decode()  # Python takes headers for Latin-1
            compressed = self.headers["content-encoding"] == "gzip"  # only with compression: keep
            handle(gzip.decompress(body) if compressed else body, id=self.headers["webhook-id"], type=attribute("type"),
                   key=attribute("subject"), tenant=attribute("tenantid"), time=attribute("time"),
                   contentType=self.headers["content-type"], note=utf8(self.headers["x-note"]))
        self.send_response(204 if good else 401)
        self.end_headers()

ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Hooks).serve_forever()
