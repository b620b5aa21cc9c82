import gzip, os, pika
from handle import handle

queue = os.environ["QUEUE"]
channel = pika.BlockingConnection(pika.URLParameters(os.environ["RABBITMQ"])).channel()
channel.exchange_declare("postroom", "topic", durable=True)
channel.queue_declare(queue, durable=True)
channel.queue_bind(queue, "postroom", queue)  # or a pattern, such as orders.#
channel.basic_qos(prefetch_count=20)

def received(channel, method, properties, body):
    compressed = properties.content_encoding == "gzip"  # only with compression: keep
    headers = properties.headers
    handle(gzip.decompress(body) if compressed else body, id=properties.message_id, type=properties.type,
           key=headers.get("cloudEvents:subject"), tenant=headers.get("cloudEvents:tenantid"),
           time=headers.get("cloudEvents:time"), contentType=properties.content_type, note=headers.get("x-note"))
    channel.basic_ack(method.delivery_tag)

channel.basic_consume(queue, received)
channel.start_consuming()
