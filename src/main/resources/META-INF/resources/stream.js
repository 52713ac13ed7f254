// Server-sent events read with fetch, which unlike EventSource can send a token.

/** An answer that is no stream: its status, and what the server says of it. */
export class Refused extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** Calls `on(name, data)` for each event until the stream ends; throws when it breaks, and Refused when there is none. */
export async function listen(url, token, signal, on) {
  const headers = { Accept: 'text/event-stream' };
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(url, { headers, signal, cache: 'no-store' });
  if (!response.ok) throw new Refused(response.status, await reason(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split('\n\n');
    rest = events.pop();
    for (const event of events) dispatch(event, on);
  }
}

async function reason(response) {
  try {
    return (await response.json()).detail ?? '';
  } catch {
    return ''; // no problem+json: a proxy answered
  }
}

function dispatch(event, on) {
  let name = '';
  const data = [];
  for (const line of event.split('\n')) {
    const colon = line.indexOf(':');
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (line.startsWith('event:')) name = value;
    if (line.startsWith('data:')) data.push(value);
  }
  if (name) on(name, data.join('\n'));
}
