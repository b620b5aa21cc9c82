import gzip, os
from kafka import KafkaConsumer
from handle import handle

consumer = KafkaConsumer(os.environ["TOPIC"], bootstrap_servers=os.environ["KAFKA"], auto_offset_reset="earliest",
                         group_id="billing-" + os.environ["TOPIC"], enable_auto_commit=False)
for record in consumer:
    headers = {name: value.decode() for name, value in record.headers}  # they are bytes
    compressed = headers.get("content-encoding") == "gzip"  # only with compression: keep
    value = record.value or b""  # an empty payload is a record without a value
    handle(gzip.decompress(value) if compressed else value, id=headers["ce_id"], type=headers["ce_type"],
           key=record.key and record.key.decode(), tenant=headers.get("ce_tenantid"), time=headers["ce_time"],
           contentType=headers.get("content-type"), note=headers.get("x-note"))
    consumer.commit()
