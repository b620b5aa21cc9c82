import base64
import json


# Your code. A message may come twice: keep its id, in the transaction of what you do with it.
def handle(payload, **message):
    print(json.dumps({**message, "payload": base64.b64encode(payload).decode()}), flush=True)
