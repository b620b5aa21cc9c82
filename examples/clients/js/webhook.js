import express from 'express';
import { Webhook } from 'standardwebhooks';
import { handle } from './handle.js';

const webhook = new Webhook(process.env.SECRET); // whsec_…
const attribute = (value) => value && decodeURIComponent(value); // CloudEvents are percent-encoded in headers
const utf8 = (value) => value && Buffer.from(value, 'latin1').toString(); // Node takes headers for Latin-1

const app = express();
app.use(express.raw({ type: () => true, limit: '2mb' })); // the bytes as they came, whatever their type
app.post('/hooks', async ({ headers, body }, response) => {
  try {
    webhook.verify(body, headers, { jsonParse: false });
  } catch {
    return response.sendStatus(401); // the topic waits; 400 would make the message a dead letter
  }
  await handle({ id: headers['webhook-id'], type: attribute(headers['ce-type']), key: attribute(headers['ce-subject']),
    tenant: attribute(headers['ce-tenantid']), time: headers['ce-time'], contentType: headers['content-type'],
    note: utf8(headers['x-note']), payload: body });
  response.sendStatus(204);
});
app.listen(process.env.PORT, '127.0.0.1');
