import gzip, os
from confluent_kafka import Consumer
from handle import handle

consumer = Consumer({"bootstrap.servers": os.environ["KAFKA"], "group.id": "billing-" + os.environ["TOPIC"],
                     "auto.offset.reset": "earliest", "enable.auto.commit": False})
consumer.subscribe([os.environ["TOPIC"]])
while True:
    record = consumer.poll(1.0)
    if record is None or record.error():
        continue
    headers = {name: value.decode() for name, value in record.headers()}  # they are bytes
    compressed = headers.get("content-encoding") == "gzip"  # only with compression: keep
    value = record.value() or b""  # an empty payload is a record without a value
    handle(gzip.decompress(value) if compressed else value, id=headers["ce_id"], type=headers["ce_type"],
           key=record.key() and record.key().decode(), tenant=headers.get("ce_tenantid"), time=headers["ce_time"],
           contentType=headers.get("content-type"), note=headers.get("x-note"))
    consumer.commit(record)
