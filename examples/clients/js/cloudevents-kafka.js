import { Kafka as Events } from 'cloudevents';
import { Kafka } from 'kafkajs';
import { handle } from './handle.js';

const consumer = new Kafka({ brokers: [process.env.KAFKA] }).consumer({ groupId: 'billing-' + process.env.TOPIC });
await consumer.connect();
await consumer.subscribe({ topics: [process.env.TOPIC], fromBeginning: true });
await consumer.run({
  eachMessage: async ({ message: { key, value, headers } }) => {
    const text = Object.fromEntries(Object.entries(headers).map(([name, bytes]) => [name, bytes.toString()]));
    const empty = value === null; // which the SDK takes for no event
    const event = Events.toEvent({ key: key?.toString(), headers: text, value: value ?? 'null' });
    const { data = '' } = event; // an object, or bytes; in structured mode base64 is in data_base64
    const payload = empty ? '' : ArrayBuffer.isView(data) || typeof data === 'string' ? data : JSON.stringify(data);
    await handle({ id: event.id, type: event.type, key: event.subject, tenant: event.tenantid, time: event.time,
      contentType: event.datacontenttype, note: text['x-note'], payload: Buffer.from(payload) });
  },
});
