import { gunzipSync } from 'node:zlib';
import { Kafka } from 'kafkajs';
import { handle } from './handle.js';

const consumer = new Kafka({ brokers: [process.env.KAFKA] }).consumer({ groupId: 'billing-' + process.env.TOPIC });
await consumer.connect();
await consumer.subscribe({ topics: [process.env.TOPIC], fromBeginning: true });
await consumer.run({
  eachMessage: async ({ message: { key, value, headers } }) => {
    const header = (name) => headers[name]?.toString(); // they are bytes
    const gzip = header('content-encoding') === 'gzip'; // only with compression: keep
    const bytes = value ?? Buffer.alloc(0); // an empty payload is a record without a value
    await handle({ id: header('ce_id'), type: header('ce_type'), key: key?.toString(), tenant: header('ce_tenantid'),
      time: header('ce_time'), contentType: header('content-type'), note: header('x-note'),
      payload: gzip ? gunzipSync(bytes, { maxOutputLength: 64 << 20 }) : bytes });
  },
});
