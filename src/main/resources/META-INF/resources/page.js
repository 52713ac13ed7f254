// The page: keeps one stream open, opens it anew when it is silent, and draws a section when it has changed.
import { draw, drawTotals } from './draw.js';

const STALE_AFTER = 10_000; // milliseconds without any event; a live stream brings the clock twice a second
const AGAIN_AFTER = 2_000; // milliseconds between two attempts
const sections = ['about', 'nodeclasses', 'queues', 'waiting', 'active'];
const state = {};
let heard = 0; // 0: nothing yet
let tried = 0;
let stream;

const byId = id => document.getElementById(id);

function say(kind, text, notice) {
  const link = byId('link');
  if (link.dataset.state !== kind || byId('link-text').textContent !== text) {
    link.dataset.state = kind;
    byId('link-text').textContent = text;
  }
  const box = byId('notice');
  box.hidden = !notice;
  if (notice && box.textContent !== notice) box.textContent = notice;
  box.classList.toggle('bad', kind === 'lost');
  byId('main').toggleAttribute('data-stale', kind === 'lost' && heard > 0);
}

/** Opens the stream. The browser's own repetition is not relied on: it ends at an error status, and a silent stream is none to it. */
function connect() {
  stream?.close();
  tried = Date.now();
  stream = new EventSource('api/v1/stream');
  for (const section of sections) {
    stream.addEventListener(section, event => {
      heard = Date.now();
      state[section] = JSON.parse(event.data);
      say('live', 'Live', '');
      byId('main').setAttribute('aria-busy', 'false');
      draw(section, state);
      drawTotals(state);
    });
  }
  stream.onerror = event => {
    event.target.close();
    lost();
  };
}

function lost() {
  say('lost', heard ? 'Connection lost' : 'No connection', heard
    ? `What you see is from ${new Date(heard).toLocaleTimeString()}. Muster does not answer; trying again.`
    : 'Muster does not answer. Maybe it is still starting; trying again.');
}

function check() {
  const now = Date.now();
  const silent = now - Math.max(heard, tried) > STALE_AFTER;
  if (silent) lost();
  if (silent || stream.readyState === EventSource.CLOSED && now - tried > AGAIN_AFTER) connect();
}

connect();
setInterval(check, 1000);
byId('filter').addEventListener('change', () => { draw('waiting', state); draw('active', state); });
