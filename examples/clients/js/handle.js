// Your code. A message may come twice: keep its id, in the transaction of what you do with it.
export async function handle({ payload, ...message }) {
  console.log(JSON.stringify({ ...message, payload: payload.toString('base64') }));
}
