import { gunzipSync } from 'node:zlib';
import { connect } from 'amqplib';
import { handle } from './handle.js';

const { QUEUE: queue, RABBITMQ } = process.env;
const channel = await (await connect(RABBITMQ)).createChannel();
await channel.assertExchange('postroom', 'topic', { durable: true });
await channel.assertQueue(queue, { durable: true });
await channel.bindQueue(queue, 'postroom', queue); // or a pattern, such as orders.#
await channel.prefetch(20);
await channel.consume(queue, async (message) => {
  const { messageId: id, type, contentType, contentEncoding, headers } = message.properties;
  const payload = contentEncoding === 'gzip' // only with compression: keep
    ? gunzipSync(message.content, { maxOutputLength: 64 << 20 }) : message.content;
  await handle({ id, type, key: headers['cloudEvents:subject'], tenant: headers['cloudEvents:tenantid'],
    time: headers['cloudEvents:time'], contentType, note: headers['x-note'], payload });
  channel.ack(message);
});
