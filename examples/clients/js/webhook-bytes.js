import { createHmac, timingSafeEqual } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import express from 'express';
import { handle } from './handle.js';

const key = Buffer.from(process.env.SECRET.replace('whsec_', ''), 'base64');

function verified({ headers }, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  const expected = Buffer.from('v1,' + createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64'));
  return Math.abs(Date.now() / 1000 - time) < 300 && signatures.split(' ').map((one) => Buffer.from(one))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

async function bytes(request, limit = 2 << 20) { // express.raw would decompress, or refuse what is compressed
  const chunks = [];
  for await (const chunk of request) if ((limit -= chunk.length) < 0) throw new Error('too large'); else chunks.push(chunk);
  return Buffer.concat(chunks);
}

const app = express();
app.post('/hooks', async (request, response) => {
  const body = await bytes(request);
  if (!verified(request, body)) return response.sendStatus(401);
  const gzip = request.headers['content-encoding'] === 'gzip';
  const payload = gzip ? gunzipSync(body, { maxOutputLength: 64 << 20 }) : body;
  await handle({ id: request.headers['webhook-id'], contentType: request.headers['content-type'], payload });
  response.sendStatus(204);
});
app.listen(process.env.PORT, '127.0.0.1');
