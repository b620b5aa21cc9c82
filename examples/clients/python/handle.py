import base64
import json
import sys


# Your code. A message may come twice: keep its id, in the transaction of what you do with it.
def handle(payload, **message):
    line = json.dumps({**message, "payload": base64.b64encode(payload).decode()})
    sys.stdout.write(line + "\n")  # in one piece: print() writes two, and other threads may write between them
    sys.stdout.flush()
