import { HTTP } from 'cloudevents';
import express from 'express';
import { handle } from './handle.js';

const app = express();
app.use(express.text({ type: ['json', '+json', 'text/*'], limit: '2mb' })); // what the SDK parses
app.use(express.raw({ type: () => true, limit: '2mb' })); // all else stays bytes
app.post('/hooks', async ({ headers, body }, response) => {
  const event = HTTP.toEvent({ headers, body }); // binary and structured mode
  const binary = 'ce-id' in headers;
  const attribute = (value) => (value && binary ? decodeURIComponent(value) : value); // the SDK leaves them encoded
  const { data = '' } = event; // an object, a text, or bytes
  const payload = ArrayBuffer.isView(data) || typeof data === 'string' ? data : JSON.stringify(data);
  await handle({ id: event.id, type: attribute(event.type), key: attribute(event.subject),
    tenant: attribute(event.tenantid), time: event.time, contentType: event.datacontenttype,
    note: headers['x-note'] && Buffer.from(headers['x-note'], 'latin1').toString(), payload: Buffer.from(payload) });
  response.sendStatus(204);
});
app.listen(process.env.PORT, '127.0.0.1');
